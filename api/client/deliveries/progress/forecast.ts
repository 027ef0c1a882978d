import {
  type ProgressSample,
  readSample,
} from '../../../../engine/adapters/postgres/deliveries/progress-store.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { timestamp } from '../../../http/fields.ts';
import type { DeliveryLimit } from '../create/limits.ts';
import type { StoredDelivery } from '../store.ts';
import type { Forecast } from './forecast-schema.ts';

/** Over a shorter time, one block more or less dominates the measurement. */
const SHORTEST_SECONDS = 2;
/** A delivery is paced in steps of up to 1,024: slower than this, half a minute may lie between two steps. */
const SLOWEST_MEASURED_PACE = 4 * 1_024;

/** Null where the delivery does not run, or there is no estimate yet. */
export async function readForecast(
  sql: Sql,
  delivery: StoredDelivery,
  limits: readonly DeliveryLimit[],
  nowMs: number,
): Promise<Forecast | null> {
  if (delivery.status !== 'processing') return null;
  return forecastOf(delivery, await readSample(sql, delivery.id), limits, nowMs);
}

type Running = Pick<
  StoredDelivery,
  | 'total_subscribers'
  | 'success_count'
  | 'failed_count'
  | 'capped_subscribers'
  | 'rate_per_minute'
  | 'started_at'
>;

export function forecastOf(
  delivery: Running,
  sample: ProgressSample | null,
  limits: readonly DeliveryLimit[],
  nowMs: number,
): Forecast | null {
  const ended = delivery.success_count + delivery.failed_count + delivery.capped_subscribers;
  const since = sample ?? sinceStart(delivery, nowMs);
  const isMeasured = since !== null && since.ageSeconds >= SHORTEST_SECONDS;
  if (!isMeasured && limits.length === 0) return null;
  const measured = isMeasured ? (Math.max(0, ended - since.ended) / since.ageSeconds) * 60 : 0;
  const perMinute = withPace(measured, delivery.rate_per_minute);
  const left = Math.max(0, delivery.total_subscribers - ended);
  const secondsLeft = secondsFor(left, perMinute, limits);
  return {
    rate_per_minute: Math.round(perMinute),
    seconds_left: secondsLeft,
    estimated_completion_at: secondsLeft === null ? null : timestamp(new Date(nowMs + secondsLeft * 1_000)),
    limits: [...limits],
  };
}

/** The longest of all push services: those that limit the app take what they allow, whatever the average was. */
function secondsFor(left: number, perMinute: number, limits: readonly DeliveryLimit[]): number | null {
  const limited = limits.reduce((sum, { waiting }) => sum + waiting, 0);
  const others = Math.max(0, left - limited);
  const times = limits.map(({ seconds_left: seconds }) => seconds);
  if (perMinute > 0) times.push(Math.ceil((others / perMinute) * 60));
  return times.length === 0 ? null : Math.max(...times);
}

function sinceStart({ started_at: startedAt }: Running, nowMs: number): ProgressSample | null {
  return startedAt === null ? null : { ended: 0, ageSeconds: (nowMs - startedAt.getTime()) / 1_000 };
}

/** It goes no faster than its pace; and where steps are rare, the pace is a better estimate than the measurement. */
function withPace(measured: number, pace: number | null): number {
  if (pace === null) return measured;
  return pace < SLOWEST_MEASURED_PACE ? pace : Math.min(measured, pace);
}
