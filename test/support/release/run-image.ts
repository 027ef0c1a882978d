import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keepOutput } from '../broadside-process.ts';
import type { Image } from './build-images.ts';
import { childOf, type Space } from './space.ts';

const script = fileURLToPath(new URL('start-root.sh', import.meta.url));
const EXEC_MS = 120_000;
const STOP_MS = 60_000;

export interface ContainerOptions {
  readonly image: Image;
  readonly space: Space;
  /** Of this machine: its `/data`, which belongs to the image's user. */
  readonly volume: string;
  /** Of this machine: its `/given`, for reading. */
  readonly given: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Container {
  /** With its exit code. */
  readonly exited: Promise<number | null>;
  output(): string;
  /** Runs another program in it, as a health check does. @throws Error with what it printed, where it fails. */
  exec(args: readonly string[]): Promise<string>;
  /** SIGTERM to its first process, as every runtime stops a container. @returns null where it did not end in time. */
  stop(): Promise<number | null>;
}

/** Starts a container as docker-compose.yml describes it. It ends with the space at the latest. */
export function startContainer({ image, space, volume, given, args, env: own }: ContainerOptions): Container {
  const { config } = image;
  const [user = '', group = ''] = config.User.split(':');
  const env = { ...Object.fromEntries(config.Env.map(splitOnce)), ...own };
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'];
  const settings = [image.root, volume, given, user, group, config.WorkingDir];
  const [program = '', ...words] = [
    ...[...space.enter, '/usr/bin/unshare', ...namespaces],
    ...['/bin/sh', script, ...settings, ...args],
  ];
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = keepOutput(child);
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  /** On this machine: whoever enters the space starts who leaves it again, and that one the program. */
  const pid = async (): Promise<number> => childOf(await childOf(child.pid ?? 0));
  return {
    exited,
    output,
    async exec(command) {
      const there = ['--mount', '--pid', '--ipc', '--uts', '--root', '--wd'];
      const who = ['--setuid', user, '--setgid', group];
      const words = ['--target', String(await pid()), ...there, ...who, '--', ...command];
      const running = promisify(execFile)('/usr/bin/nsenter', words, { env, timeout: EXEC_MS });
      running.child.stdin?.end();
      return (await running).stdout;
    },
    async stop() {
      process.kill(await pid(), 'SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      const code = await exited;
      clearTimeout(late);
      return code;
    },
  };
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}
