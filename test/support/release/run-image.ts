import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ContainerOptions {
  /** The root of the image: it is mounted for reading alone. */
  readonly root: string;
  /** Empty; has the container's settings. */
  readonly folder: string;
  readonly name: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
  /** A folder of this machine, or null: a volume in memory. */
  readonly mounts: Readonly<Record<string, string | null>>;
}

export interface Container {
  readonly exited: Promise<number | null>;
  output(): string;
  /** Runs another program in it, as a health check does. */
  exec(args: readonly string[]): Promise<{ stdout: string }>;
  /** SIGTERM, as every runtime stops a container. */
  stop(): Promise<number | null>;
  remove(): Promise<void>;
}

/** Starts a container as Compose's file describes it: not root, without capabilities, on a root that nobody can write. */
export async function startContainer(options: ContainerOptions): Promise<Container> {
  const { folder, name } = options;
  await mkdir(folder);
  await writeFile(join(folder, 'config.json'), JSON.stringify(settingsOf(options)));
  const state = ['--root', join(folder, 'state')];
  const child = spawn('runc', [...state, 'run', '--bundle', folder, name], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = keepOutput(child);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    exited,
    output,
    exec: (args) => run('runc', [...state, 'exec', name, ...args]),
    async stop() {
      await run('runc', [...state, 'kill', name, 'TERM']);
      return exited;
    },
    async remove() {
      if (child.exitCode === null) await run('runc', [...state, 'kill', name, 'KILL']).catch(() => {});
      await run('runc', [...state, 'delete', '--force', name]).catch(() => {});
    },
  };
}

/** By the runtime specification of the OCI, 1.0.2: the network is this machine's, all else its own. */
function settingsOf({ root, args, env, mounts }: ContainerOptions): object {
  const flags = ['nosuid', 'nodev'];
  const given = Object.entries(mounts).map(([destination, source]) =>
    source === null
      ? { destination, type: 'tmpfs', source: 'tmpfs', options: [...flags, 'mode=1777'] }
      : { destination, type: 'bind', source, options: ['bind', ...flags] },
  );
  return {
    ociVersion: '1.0.2',
    root: { path: root, readonly: true },
    process: {
      ...{ cwd: '/broadside', args, env, terminal: false, noNewPrivileges: true },
      user: { uid: 1_000, gid: 1_000 },
      capabilities: { bounding: [], effective: [], permitted: [], ambient: [] },
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
      { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: [...flags, 'mode=1777'] },
      ...given,
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  };
}

const MAX_OUTPUT_CHARS = 20_000;

function keepOutput(child: ChildProcess): () => string {
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = `${output}${chunk}`.slice(-MAX_OUTPUT_CHARS);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => output;
}
