import { createPgBossLog } from '../../engine/adapters/pgboss/log.ts';
import { createDatabase, type Database } from '../../engine/adapters/postgres/database.ts';
import { createLogger } from '../../engine/adapters/telemetry/logger.ts';
import { createMetrics } from '../../engine/adapters/telemetry/metrics.ts';
import { type Engine, startEngine } from '../../engine/compose/engine.ts';
import { readEngineConfig } from '../../engine/config.ts';
import type { Log } from '../../engine/contract/log.ts';
import { createDeliveryProofs } from '../../engine/notification/delivery-proof.ts';
import { testMasterKey, testSealer } from './builders.ts';

/** Whole engines in this process, each with a log, connections and threads of its own, as separate ones would be. */
export interface EngineCrew {
  readonly engines: readonly Engine[];
  close(): Promise<void>;
}

interface EngineSettings {
  readonly databaseUrl: string;
  /** PEM file of the push service double; left out: only those of the system. */
  readonly caFile?: string;
  /** Further settings, as environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}
export interface EngineCrewOptions extends EngineSettings {
  readonly engines: number;
}

const CONNECTIONS = 6;
const CLOSE_MS = 5_000;

/** Nothing is recorded: ClickHouse has no part in when something is sent. */
export function startEngineOver(
  { databaseUrl, caFile, env }: EngineSettings,
  { database, log }: { readonly database: Database; readonly log: Log },
): Promise<Engine> {
  const config = readEngineConfig({
    DATABASE_URL: databaseUrl,
    MASTER_KEY: testMasterKey.toString('base64'),
    ALLOW_ANY_PUSH_HOST: 'true',
    ...(caFile === undefined ? {} : { PUSH_SERVICE_CA_FILE: caFile }),
    WORKER_THREADS: '1',
    LOG_LEVEL: 'silent',
    ...env,
  });
  const insert = async () => ({ kind: 'inserted', rows: 0 }) as const;
  return startEngine(config, {
    ...{ database, log, metrics: createMetrics(), sealer: testSealer },
    logger: createLogger({ level: config.logLevel, role: 'engine' }),
    proofs: createDeliveryProofs(testMasterKey),
    outcomeStore: { insertOutcomes: insert },
    eventStore: { insertEvents: insert },
    statisticsChanges: {
      changing: async () => false,
      deleteApps: async () => {},
      makeAnonymous: async () => {},
      dropTexts: async () => {},
    },
    reached: { reacted: async () => new Uint8Array() },
  });
}

/** The log is pg-boss in the same Postgres. */
export async function startEngineCrew(options: EngineCrewOptions): Promise<EngineCrew> {
  const open = async () => {
    const database = createDatabase({
      url: options.databaseUrl,
      applicationName: 'broadside-test-engine',
      maxConnections: CONNECTIONS,
      connectTimeoutMs: 5_000,
      statementTimeoutMs: 30_000,
    });
    const log = await createPgBossLog({ url: options.databaseUrl });
    const engine = await startEngineOver(options, { database, log });
    const close = async () => {
      await engine.close(CLOSE_MS);
      await log.close(CLOSE_MS);
      await database.close();
    };
    return { engine, close };
  };
  const first = await open();
  // The first one has made what the log keeps in Postgres.
  const opened = [first, ...(await Promise.all(Array.from({ length: options.engines - 1 }, open)))];
  return {
    engines: opened.map(({ engine }) => engine),
    close: async () => {
      await Promise.all(opened.map(({ close }) => close()));
    },
  };
}
