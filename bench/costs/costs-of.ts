import { cpus } from 'node:os';
import {
  type EncryptionName,
  encryptionNames,
  type MeasuredCosts,
} from '../../api/cli/capacity/measured-costs.ts';
import type { Idle } from '../crew/idle.ts';
import { median } from '../median.ts';
import type { Sent } from './measure.ts';

export interface Parts {
  /** Deliveries to the small audience, and to the large one. */
  readonly small: readonly Sent[];
  readonly large: readonly Sent[];
  readonly encryptionUs: Readonly<Record<EncryptionName, number | null>>;
  /** The one that the engine used. */
  readonly used: EncryptionName;
  readonly read: { readonly us: number; readonly bytes: number };
  readonly releaseMs: number;
  /** Of one engine. */
  readonly idle: Idle;
  readonly readerBytes: number;
  readonly engineMb: number;
}

/** The costs of a message, from the small audience alone: the large one shows whether they hold. */
export function costsOf({ small, large, ...parts }: Parts, now: Date): MeasuredCosts {
  const perMessage = (of: (sent: Sent) => number): number =>
    median(small.map((sent) => of(sent) / sent.readers));
  const us = (of: (sent: Sent) => number): number => 1e6 * perMessage(of);
  return {
    date: now.toISOString().slice(0, 10),
    machine: `${(cpus()[0]?.model ?? 'unknown').trim()}, ${cpus().length} vCPUs`,
    readers: small[0]?.readers ?? 0,
    encryption_us: Object.fromEntries(
      encryptionNames.map((name) => [name, roundedOrNull(parts.encryptionUs[name])]),
    ) as MeasuredCosts['encryption_us'],
    engine_us: rounded(Math.max(0, us((sent) => sent.engine) - (parts.encryptionUs[parts.used] ?? 0))),
    postgres_read_us: rounded(parts.read.us),
    postgres_write_us: rounded(Math.max(0, us((sent) => sent.postgres) - parts.read.us)),
    log_us: rounded(us((sent) => sent.log)),
    clickhouse_us: rounded(us((sent) => sent.clickhouse)),
    transactions_per_1000: rounded(1_000 * perMessage((sent) => sent.transactions)),
    release_ms: rounded(parts.releaseMs),
    plan_ms_per_million: rounded(planMsPerMillion(small, large)),
    reader_bytes: Math.round(parts.readerBytes),
    target_bytes: Math.round(parts.read.bytes),
    wal_bytes: rounded(perMessage((sent) => sent.walBytes)),
    log_bytes: rounded(perMessage((sent) => sent.logBytes)),
    clickhouse_bytes: rounded(perMessage((sent) => sent.clickhouseBytes)),
    idle_engine_ms: rounded(parts.idle.engines / 1_000),
    idle_postgres_ms: rounded(parts.idle.postgres / 1_000),
    idle_log_ms: rounded(parts.idle.log / 1_000),
    engine_mb: Math.round(parts.engineMb),
  };
}

/** What more readers add: a part of planning is the same for any audience. */
function planMsPerMillion(small: readonly Sent[], large: readonly Sent[]): number {
  const [few, many] = [small, large].map((sent) => ({
    readers: sent[0]?.readers ?? 0,
    ms: Math.min(...sent.map(({ planMs }) => planMs)),
  }));
  if (few === undefined || many === undefined) return Number.NaN;
  return (1e6 * Math.max(0, many.ms - few.ms)) / (many.readers - few.readers);
}

const rounded = (value: number): number => Number(value.toPrecision(3));
const roundedOrNull = (value: number | null): number | null => (value === null ? null : rounded(value));
