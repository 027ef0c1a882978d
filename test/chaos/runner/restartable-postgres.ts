import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../engine/adapters/postgres/embedded.ts';
import { isAlive } from './is-alive.ts';

/** A Postgres of the run's own, durable, that can be stopped in each of its manners and started again. */
export interface RestartablePostgres {
  /** Without a proxy. The same after a restart. */
  readonly url: string;
  /** `fast` ends the sessions in order; `immediate` is a crash: recovery from the log at the next start. */
  shutDown(manner: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  /** Stops it permanently and removes its data. Safe to call twice. */
  stop(): Promise<void>;
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
const POLL_MS = 20;
const STOP_TIMEOUT_MS = 20_000;

export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-chaos-postgres-'));
  // It runs as another user where we are root, and must be able to reach its files.
  await chmod(folder, 0o755);
  const { url } = await startEmbeddedPostgres({ folder, port: 0, durable: true });
  const port = Number(new URL(url).port);
  const pidFile = join(folder, 'postgres', 'postmaster.pid');

  const shutDown = async (manner: 'fast' | 'immediate'): Promise<void> => {
    const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
    if (!(pid > 1) || !isAlive(pid)) return;
    process.kill(pid, signals[manner]);
    const endsAt = performance.now() + STOP_TIMEOUT_MS;
    while (isAlive(pid)) {
      if (performance.now() > endsAt) throw new Error(`Postgres (${pid}) did not stop: ${manner}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  return {
    url,
    shutDown,
    start: async () => {
      await startEmbeddedPostgres({ folder, port, durable: true });
    },
    stop: async () => {
      await shutDown('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
