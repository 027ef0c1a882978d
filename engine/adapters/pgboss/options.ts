import type { Db } from 'pg-boss';
import { type Clock, systemClock } from '../../contract/concurrency/clock.ts';

export type PgBossLogger = (
  level: 'error' | 'warn',
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

/** Where the queue lives: a connection string, or an open connection in pg-boss's own shape. */
export type PgBossConnection =
  | {
      readonly url: string;
      /** What pg needs beside it, or instead of it: TLS, a client that looks for the right host. */
      readonly pool?: object;
    }
  | { readonly db: Db };

export type PgBossLogOptions = PgBossConnection & {
  /** The Postgres schema that pg-boss keeps for itself. */
  readonly schema?: string;
  /** Whole seconds. A consumer that is silent for this long loses its claims. */
  readonly claimTimeoutMs?: number;
  /** How often an idle consumer looks for records that another process published. */
  readonly pollMs?: number;
  /** Connections, where a connection string is given. */
  readonly maxConnections?: number;
  readonly connectTimeoutMs?: number;
  /** How long one statement, and so a `publish`, may take before it rejects. */
  readonly statementTimeoutMs?: number;
  readonly logger?: PgBossLogger;
  readonly clock?: Clock;
};

export interface PgBossSettings {
  readonly connection: PgBossConnection;
  readonly schema: string;
  readonly claimTimeoutMs: number;
  /** Several within a claim's time-out: one that is lost costs nothing. */
  readonly touchEveryMs: number;
  /** How often it is looked for claims that ran out. */
  readonly checkEveryMs: number;
  readonly pollMs: number;
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly logger: PgBossLogger;
  readonly clock: Clock;
}

const TOUCHES_PER_CLAIM = 4;
const CHECKS_PER_CLAIM = 3;
const PLAIN_NAME = /^[a-z_][a-z0-9_]{0,40}$/;

/** @throws Error on a claim time-out that pg-boss cannot keep, or a schema name that would need quoting. */
export function compileOptions(options: PgBossLogOptions): PgBossSettings {
  const claimTimeoutMs = options.claimTimeoutMs ?? 15_000;
  const schema = options.schema ?? 'broadside_log';
  if (claimTimeoutMs < 1_000 || claimTimeoutMs % 1_000 !== 0) {
    throw new Error('claimTimeoutMs must be whole seconds, at least one: pg-boss counts in seconds');
  }
  if (!PLAIN_NAME.test(schema)) throw new Error(`not a plain schema name: ${schema}`);
  return Object.freeze({
    connection: 'url' in options ? { url: options.url, pool: options.pool ?? {} } : { db: options.db },
    schema,
    claimTimeoutMs,
    touchEveryMs: claimTimeoutMs / TOUCHES_PER_CLAIM,
    checkEveryMs: Math.max(1, Math.round(claimTimeoutMs / CHECKS_PER_CLAIM / 1_000)) * 1_000,
    pollMs: options.pollMs ?? 200,
    maxConnections: options.maxConnections ?? 4,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    statementTimeoutMs: options.statementTimeoutMs ?? 15_000,
    logger: options.logger ?? (() => undefined),
    clock: options.clock ?? systemClock,
  });
}
