import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { type BroadsideProcess, startBroadside } from '../../test/support/broadside-process.ts';
import { kafkaAvailability } from '../../test/support/kafka/libraries.ts';
import { startKafkaBroker } from '../../test/support/kafka-broker.ts';
import { databaseProcess, sumOfTree } from '../stand/database-time.ts';
import { type StartPostgres, startDatabases } from '../stand/databases.ts';
import { readProcStats } from '../stand/proc-stat.ts';

/** Servers of engines in processes of their own: Postgres, Kafka and ClickHouse, each with its process. */
export interface Servers {
  readonly database: Database;
  /** Settings of an engine. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of the broker's files. */
  readonly logFolder: string;
  readonly processes: { readonly postgres: number; readonly log: number; readonly clickhouse: number };
}

export interface EngineProcess extends BroadsideProcess {
  readonly internalUrl: string;
}

/** User and system time so far, in µs, of each part. */
export interface PartTimes {
  /** In the order in which they were started. */
  readonly engines: readonly number[];
  readonly postgres: number;
  readonly log: number;
  readonly clickhouse: number;
}

const preload = fileURLToPath(new URL('./no-sending.ts', import.meta.url));
/** Settings of engines that neither encrypt nor send. */
export const withoutSending = { NODE_OPTIONS: `--import=${preload}` };

const START_TIMEOUT_MS = 240_000;

/** @throws Error saying what to install, where this machine cannot run Kafka. */
export async function startServers(
  opened: AsyncDisposableStack,
  startDatabase?: StartPostgres,
): Promise<Servers> {
  const availability = kafkaAvailability();
  if (!availability.available) throw new Error(availability.reason);
  const { database, environment, folder, clickhouse } = await startDatabases(opened, startDatabase);
  const logFolder = await mkdtemp(join(tmpdir(), 'broadside-bench-kafka-'));
  opened.defer(() => rm(logFolder, { recursive: true, force: true }));
  const broker = await startKafkaBroker({ folder: logFolder });
  opened.defer(() => broker.stop());
  const postgres = await databaseProcess(folder);
  if (postgres === null)
    throw new Error('the CPU time of other processes is read from /proc: run this on Linux');
  return {
    database,
    logFolder,
    environment: { ...environment, LOG_BACKEND: 'kafka', KAFKA_BROKERS: broker.address },
    processes: { postgres, log: broker.pid(), clickhouse: clickhouse.pid() },
  };
}

/** Topics of their own, so that nothing of engines before them is read. */
export async function startEngines(
  opened: AsyncDisposableStack,
  { environment }: Servers,
  count: number,
  settings: Readonly<Record<string, string>>,
): Promise<EngineProcess[]> {
  const KAFKA_TOPIC_PREFIX = `broadside-${randomBytes(6).toString('hex')}.`;
  const env = {
    ...environment,
    KAFKA_TOPIC_PREFIX,
    LOG_LEVEL: 'warn',
    ALLOW_ANY_PUSH_HOST: 'true',
    ...settings,
  };
  const engines: EngineProcess[] = [];
  // The first one makes the topics. Others start beside one another, a few at a time: a start takes a core.
  engines.push(await startEngine(opened, env));
  while (engines.length < count) {
    const some = Math.min(4, count - engines.length);
    engines.push(...(await Promise.all(Array.from({ length: some }, () => startEngine(opened, env)))));
  }
  return engines;
}

async function startEngine(
  opened: AsyncDisposableStack,
  env: Readonly<Record<string, string>>,
): Promise<EngineProcess> {
  const port = await freePort();
  const internalUrl = `http://127.0.0.1:${port}`;
  const engine = await startBroadside({
    args: ['engine'],
    env: { ...env, INTERNAL_PORT: String(port), INTERNAL_SECRET: randomUUID() },
    readyUrl: `${internalUrl}/health/ready`,
    startTimeoutMs: START_TIMEOUT_MS,
  });
  opened.defer(() => engine.stop().then(() => {}));
  return { ...engine, internalUrl };
}

export async function readPartTimes(
  { processes }: Servers,
  engines: readonly Pick<BroadsideProcess, 'pid'>[],
): Promise<PartTimes> {
  const stats = (await readProcStats('/proc')) ?? [];
  const timeOf = (pid: number): number => sumOfTree(stats, pid);
  return {
    engines: engines.map(({ pid }) => timeOf(pid)),
    postgres: timeOf(processes.postgres),
    log: timeOf(processes.log),
    clickhouse: timeOf(processes.clickhouse),
  };
}
