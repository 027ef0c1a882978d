import type { Delivery } from '../data/deliveries/resource.ts';

type Service = Delivery['push_services'][number]['push_service'];

/** Nothing goes on at some push service, and a time left would be a guess. */
export interface Standstill {
  /** That have readers waiting and accept nothing. */
  readonly services: readonly Service[];
  readonly waiting: number;
  readonly nextAt: string | null;
}

type Running = Pick<
  Delivery,
  | 'status'
  | 'push_services'
  | 'next_attempt_at'
  | 'total_subscribers'
  | 'success_count'
  | 'failed_count'
  | 'capped_subscribers'
  | 'forecast'
  | 'rate_per_minute'
  | 'started_at'
>;

/** The first answers take their time, and speeds are measured over some seconds. */
const BEGUN_MS = 30_000;

/** Null: it goes on, or has just begun. */
export function stallOf(delivery: Running, now: number = Date.now()): Standstill | null {
  if (delivery.status !== 'processing') return null;
  const { push_services: all, next_attempt_at: nextAt, success_count, failed_count } = delivery;
  const left = delivery.total_subscribers - success_count - failed_count - delivery.capped_subscribers;
  if (left <= 0 || now - Date.parse(delivery.started_at ?? '') < BEGUN_MS) return null;
  const silent = all.filter(({ waiting, rate }) => waiting > 0 && (rate ?? 0) === 0);
  const waiting = silent.reduce((sum, service) => sum + service.waiting, 0);
  const services = silent.map(({ push_service }) => push_service);
  if (waiting >= left) return { services, waiting, nextAt };
  // Requests that hang are counted as waiting only when they are given up; a paced delivery rests between its steps.
  const { forecast, rate_per_minute: pace } = delivery;
  const accepts = all.some(({ rate }) => (rate ?? 0) > 0);
  const stands = forecast !== null && (forecast.rate_per_minute === 0 || success_count > 0);
  return pace === null && stands && !accepts ? { services, waiting: left, nextAt } : null;
}
