import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FromBridge } from './server.ts';

/**
 * ClickHouse over HTTP where there is no server: the embedded engine in a process of its own, behind enough
 * of ClickHouse's HTTP interface for the real client. It can be killed and started again on the same data,
 * as a server can. It ends by itself when the process that started it goes.
 *
 * Not there: RowBinary and other binary formats in inserts, users, async inserts' own thread, clusters.
 */
export interface ClickHouseBridge {
  /** `http://127.0.0.1:port`; the same after a restart. */
  readonly url: string;
  /** Of the process that runs now. */
  pid(): number;
  /** Ends it at once, as a crash would (SIGKILL). */
  kill(): Promise<void>;
  /** Starts it again on the same data and port, ending it first where it still runs. */
  restart(): Promise<void>;
  /** Ends it in order and removes the data, unless the caller named the folder. */
  stop(): Promise<void>;
}

const entry = fileURLToPath(new URL('./server.ts', import.meta.url));
const STOP_DEADLINE_MS = 5_000;

export async function startClickHouseBridge(
  given: { readonly path?: string; readonly port?: number } = {},
): Promise<ClickHouseBridge> {
  const path = given.path ?? (await mkdtemp(join(tmpdir(), 'broadside-clickhouse-')));
  let { child, port } = await start(path, given.port ?? 0);

  return {
    url: `http://127.0.0.1:${port}`,
    pid: () => child.pid ?? 0,
    kill: () => end(child, 'SIGKILL'),
    restart: async () => {
      await end(child);
      ({ child, port } = await start(path, port));
    },
    stop: async () => {
      await end(child);
      if (given.path === undefined) await rm(path, { recursive: true, force: true });
    },
  };
}

async function start(path: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(entry, [path, String(port)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the ClickHouse bridge ended (${code}) before it listened`);
  });
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [FromBridge];
  exited.catch(() => {});
  return { child, port: message.port };
}

/** Without a signal: closes the channel, which is the child's sign to end in order. */
async function end(child: ChildProcess, signal?: 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  if (signal !== undefined) child.kill(signal);
  else child.disconnect();
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
  await gone;
  clearTimeout(late);
}
