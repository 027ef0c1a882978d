// tier: unit
import { expect, it } from 'vitest';
import { stallOf } from '../../../api/dashboard/web/deliveries/stall.ts';

const startedAt = '2026-03-10T12:00:00Z';
const waiting = {
  status: 'processing',
  started_at: startedAt,
  push_services: [{ push_service: 'fcm', waiting: 1_000, rate: 0 }],
  next_attempt_at: null,
  total_subscribers: 1_000,
  ...{ success_count: 0, failed_count: 0, capped_subscribers: 0 },
  forecast: null,
  rate_per_minute: null,
} as unknown as Parameters<typeof stallOf>[0];
const after = (seconds: number): number => Date.parse(startedAt) + seconds * 1_000;

it('a delivery that has just begun waits for nobody, one that nobody answers for half a minute does', () => {
  expect(stallOf(waiting, after(5))).toBeNull();
  expect(stallOf(waiting, after(31))).toMatchObject({ services: ['fcm'], waiting: 1_000 });
});
