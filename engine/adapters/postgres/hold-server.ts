import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** One process's use of a folder's embedded Postgres. However the process ends, the use ends with it. */
export interface ServerHold {
  /** Nobody else had it before: a server that runs was left behind, or is being stopped right now. */
  readonly isOnlyOne: boolean;
  /** Where nobody else has it, the server is stopped as well. Resolves once that is done. Safe to call twice. */
  release(): Promise<void>;
  /** The server goes on in any case. */
  leave(): Promise<void>;
}

const script = fileURLToPath(new URL('hold-server.sh', import.meta.url));

/**
 * The server is a daemon, and would outlive a process that is killed. So a shell of its own session, which no signal
 * to the process or its group reaches, waits for the end of a pipe from here; in the folder it notes that the server
 * is used.
 * @param folder holds `postgres/`; absolute.
 * @returns null where no shell can do that, as on Windows and in an image of little more than Node: nobody knows who else
 * uses the server then, and one that was left behind waits for the next start.
 */
export async function holdServer(folder: string): Promise<ServerHold | null> {
  if (process.platform === 'win32') return null;
  // The folder is neither an argument nor in the environment: by those, tests find what a run has left behind.
  const child = spawn('sh', [script], {
    ...{ cwd: '/', env: { PATH: '/usr/bin:/bin' }, detached: true },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  child.stdin.on('error', () => {});
  child.stdin.write(`${folder}\n`);
  const said = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const found = await Promise.race([said.then(([word]) => word), ended.then(() => null)]);
  if (found === null) return null;
  child.stdout.destroy();
  // It keeps no process running that has nothing else to do.
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  const endBy = async (word: string): Promise<void> => {
    child.ref();
    if (!child.stdin.writableEnded) child.stdin.end(`${word}\n`);
    await ended;
  };
  return {
    isOnlyOne: found === 'unused',
    release: () => endBy('release'),
    leave: () => endBy('leave'),
  };
}
