import { readFileSync } from 'node:fs';

/** What a message costs, as `npm run bench -- costs --write` measured it for this release. CPU times in µs. */
export interface MeasuredCosts {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly machine: string;
  readonly readers: number;
  /** Encrypting one message, by backend; null: the machine has not got it. */
  readonly encryption_us: Readonly<Record<EncryptionName, number | null>>;
  /** All else that an engine does for a message. */
  readonly engine_us: number;
  /** Reading a target out of Postgres: what read replicas take over. */
  readonly postgres_read_us: number;
  /** All else of Postgres. */
  readonly postgres_write_us: number;
  readonly log_us: number;
  readonly clickhouse_us: number;
  /** Postgres' transactions for a thousand messages. */
  readonly transactions_per_1000: number;
  /** How long the statement takes that releases shards: one at a time, over all engines. */
  readonly release_ms: number;
  /** From the start of a delivery until it was planned, for a million readers. */
  readonly plan_ms_per_million: number;
  /** Bytes of a reader in Postgres, with its indexes. */
  readonly reader_bytes: number;
  /** Bytes of a target as Postgres sends it. */
  readonly target_bytes: number;
  /** Bytes of a message in Postgres' own log, in the log between the stages, and in ClickHouse. */
  readonly wal_bytes: number;
  readonly log_bytes: number;
  readonly clickhouse_bytes: number;
  /** CPU time of an engine that has nothing to do, and of Postgres and the log for its sake, in ms a second. */
  readonly idle_engine_ms: number;
  readonly idle_postgres_ms: number;
  readonly idle_log_ms: number;
  /** The most memory that an engine held, in MB. */
  readonly engine_mb: number;
}

export const encryptionNames = ['multibuffer', 'openssl', 'node'] as const;
export type EncryptionName = (typeof encryptionNames)[number];

export const costsFile = new URL('./measured-costs.json', import.meta.url);

export const readMeasuredCosts = (): MeasuredCosts =>
  JSON.parse(readFileSync(costsFile, 'utf8')) as MeasuredCosts;
