import { createBlockStore } from '../../engine/adapters/postgres/dispatch/block-store.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { checkBooks } from '../crew/books.ts';
import { type EngineProcess, readPartTimes, type Servers } from '../crew/crew.ts';
import type { Idle } from '../crew/idle.ts';
import { startDeliveries, untilEnded } from '../crew/send-to.ts';
import { readTransactions } from '../crew/transactions.ts';
import { pause } from '../stand/deliver.ts';
import { readSizes } from './sizes.ts';

export interface Audience {
  readonly id: AppId;
  readonly readers: number;
}

/** One delivery: CPU seconds by part, without what they cost while nothing is to be done; and what it wrote. */
export interface Sent {
  readonly readers: number;
  readonly engine: number;
  readonly postgres: number;
  readonly log: number;
  readonly clickhouse: number;
  readonly transactions: number;
  readonly walBytes: number;
  readonly logBytes: number;
  readonly clickhouseBytes: number;
  readonly planMs: number;
}

/** ClickHouse's rows come about a second behind. */
const SETTLE_MS = 2_000;

export async function send(
  servers: Servers,
  engines: readonly EngineProcess[],
  { id, readers }: Audience,
  idle: Idle,
): Promise<Sent> {
  const { database } = servers;
  const [transactions, sizes] = [await readTransactions(database), await readSizes(servers)];
  const before = await readPartTimes(servers, engines);
  const startedAt = performance.now();
  const deliveries = await startDeliveries(database, [{ id }]);
  const ended = await untilEnded(database, deliveries);
  await pause(SETTLE_MS);
  const after = await readPartTimes(servers, engines);
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  checkBooks(ended, readers);
  const sizesAfter = await readSizes(servers);
  const seconds = (of: (times: typeof before) => number, idleUs: number): number =>
    Math.max(0, of(after) - of(before) - idleUs * tookSeconds) / 1e6;
  return {
    readers,
    engine: seconds(({ engines: all }) => all.reduce((sum, one) => sum + one, 0), idle.engines),
    postgres: seconds((times) => times.postgres, idle.postgres),
    log: seconds((times) => times.log, idle.log),
    clickhouse: seconds((times) => times.clickhouse, idle.clickhouse),
    transactions: (await readTransactions(database)) - transactions,
    walBytes: sizesAfter.wal - sizes.wal,
    logBytes: sizesAfter.log - sizes.log,
    clickhouseBytes: Math.max(0, sizesAfter.clickhouse - sizes.clickhouse),
    planMs: await readPlanMs(database, deliveries[0] ?? 0),
  };
}

/** From the moment that the log has the delivery until its plan is committed. */
async function readPlanMs(database: Servers['database'], delivery: number): Promise<number> {
  const [row] = await database.query<{ ms: number }>(
    `SELECT extract(epoch FROM started_at - queued_at)::float8 * 1000 AS ms FROM deliveries WHERE id = $1`,
    [delivery],
  );
  return row?.ms ?? Number.NaN;
}

/** Reads all targets as an engine does. @returns CPU µs of Postgres, and bytes, for each. */
export async function measureReads(servers: Servers, { id, readers }: Audience, block: number) {
  const store = createBlockStore(servers.database);
  const before = await readPartTimes(servers, []);
  let bytes = 0;
  for (let at = 0; at * block < readers; at++) bytes += (await store.readTargets(id, at)).rows.length;
  const after = await readPartTimes(servers, []);
  return { us: (after.postgres - before.postgres) / readers, bytes: bytes / readers };
}
