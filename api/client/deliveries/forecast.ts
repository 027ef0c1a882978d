import {
  type ProgressSample,
  readSample,
} from '../../../engine/adapters/postgres/deliveries/progress-store.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { timestamp } from '../fields.ts';
import type { Forecast } from './forecast-schema.ts';
import type { StoredDelivery } from './store.ts';

/** Over a shorter time, one block more or less dominates the measurement. */
const SHORTEST_SECONDS = 2;
/** A delivery is paced in steps of up to 1,024: slower than this, half a minute may lie between two steps. */
const SLOWEST_MEASURED_PACE = 4 * 1_024;

/** Null where the delivery does not run, or has not run long enough to estimate. */
export async function readForecast(
  sql: Sql,
  delivery: StoredDelivery,
  nowMs: number,
): Promise<Forecast | null> {
  if (delivery.status !== 'processing') return null;
  return forecastOf(delivery, await readSample(sql, delivery.id), nowMs);
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

export function forecastOf(delivery: Running, sample: ProgressSample | null, nowMs: number): Forecast | null {
  const ended = delivery.success_count + delivery.failed_count + delivery.capped_subscribers;
  const since = sample ?? sinceStart(delivery, nowMs);
  if (since === null || since.ageSeconds < SHORTEST_SECONDS) return null;
  const measured = (Math.max(0, ended - since.ended) / since.ageSeconds) * 60;
  const perMinute = withPace(measured, delivery.rate_per_minute);
  const left = Math.max(0, delivery.total_subscribers - ended);
  const secondsLeft = perMinute > 0 ? Math.ceil((left / perMinute) * 60) : null;
  return {
    rate_per_minute: Math.round(perMinute),
    seconds_left: secondsLeft,
    estimated_completion_at: secondsLeft === null ? null : timestamp(new Date(nowMs + secondsLeft * 1_000)),
  };
}

function sinceStart({ started_at: startedAt }: Running, nowMs: number): ProgressSample | null {
  return startedAt === null ? null : { ended: 0, ageSeconds: (nowMs - startedAt.getTime()) / 1_000 };
}

/** It goes no faster than its pace; and where steps are rare, the pace is a better estimate than the measurement. */
function withPace(measured: number, pace: number | null): number {
  if (pace === null) return measured;
  return pace < SLOWEST_MEASURED_PACE ? pace : Math.min(measured, pace);
}
