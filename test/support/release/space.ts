import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const MAX_BYTES = 64 * 1_024 ** 2;

/**
 * Mounts and processes of its own: whatever is mounted or started in it ends with it, and it ends with whoever holds it, by
 * SIGKILL as well. So what is removed afterwards is plain files, and no removal follows a mount.
 */
export interface Space {
  /** Enters it: the words that stand before a command. */
  readonly enter: readonly string[];
  /** @throws Error with what it printed, where it fails or is not done in time: then it is ended. */
  run(command: readonly string[], options: RunOptions): Promise<string>;
  /** How this machine reads a path of the space, with what is mounted there. */
  pathOf(path: string): string;
  end(): Promise<void>;
}

export interface RunOptions {
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** It reads until the other end of its input is gone; as the first process of the space it takes all others with it. */
const HOLDER = ['/bin/sh', '-c', 'echo ready; read -r line'];

/** @throws Error where this machine does not allow it. */
export async function openSpace(): Promise<Space> {
  const flags = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const holder = spawn('/usr/bin/unshare', [...flags, ...HOLDER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(holder, 'exit');
  const first = await Promise.race([once(holder.stdout, 'data'), gone.then(() => null)]);
  if (first === null) throw new Error('this machine allows no mounts and processes of its own (unshare)');
  const init = await childOf(holder.pid ?? 0);
  const enter = ['/usr/bin/nsenter', '--target', String(init), '--mount', '--pid', '--'];
  return {
    enter,
    async run(command, { timeoutMs, env, cwd }) {
      const [program = '', ...args] = [...enter, ...command];
      const options = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES } as const;
      const running = execute(program, args, {
        ...options,
        ...(env === undefined ? {} : { env }),
        ...(cwd === undefined ? {} : { cwd }),
      });
      running.child.stdin?.end();
      const { stdout } = await running.catch(
        (error: { killed?: boolean; stdout: string; stderr: string }) => {
          const end = error.killed ? `was not done after ${timeoutMs / 1_000} s` : 'failed';
          const said = `${error.stdout}\n${error.stderr}`.slice(-4_000);
          throw new Error(`${command.join(' ')} ${end}:\n${said}`);
        },
      );
      return stdout;
    },
    pathOf: (path) => join(`/proc/${init}/root`, path),
    async end() {
      holder.stdin.end();
      holder.kill('SIGKILL');
      await gone;
    },
  };
}

/** The process that another one has started. @throws Error where there is none. */
export async function childOf(pid: number): Promise<number> {
  const file = `/proc/${pid}/task/${pid}/children`;
  const [child] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  if (!child) throw new Error(`process ${pid} has started none, or /proc is of other processes: see ${file}`);
  return Number(child);
}
