// tier: unit
import { describe, expect, it } from 'vitest';
import { type DeliveryLimit, leftAt, waitingAt } from '../../../../api/client/deliveries/create/limits.ts';
import { forecastOf } from '../../../../api/client/deliveries/progress/forecast.ts';
import { sampleOf } from '../../../../api/client/standing/sample.ts';
import { wilson } from '../../../../api/client/standing/wilson.ts';
import type { PushService } from '../../../../engine/contract/push-service.ts';

const now = Date.UTC(2026, 0, 31, 12);
const limit: DeliveryLimit = {
  push_service: 'fcm',
  limited_since: '2026-01-31T09:12:00+00:00',
  allowed_per_minute: 1_000,
  probable_end_at: null,
  waiting: 1_000_000,
  ...leftAt({ waiting: 1_000_000, ahead: 0, allowed: 1_000 }, Infinity),
};
const running = {
  ...{ total_subscribers: 1_100_000, success_count: 0, failed_count: 0, capped_subscribers: 0 },
  ...{ rate_per_minute: null, started_at: new Date(now - 60_000) },
};

describe('the forecast while a push service limits the app', () => {
  it('gives a million at 1,000 a minute 16.7 hours', () => {
    expect(limit).toMatchObject({ seconds_left: 60_000, expiring: 0 });
    expect(limit.seconds_left / 3_600).toBeCloseTo(16.67, 2);
  });

  it('is the longest of all services, whatever the average rate promises', () => {
    const fast = { ended: 0, ageSeconds: 30 };
    const half = { ...running, success_count: 50_000 };
    expect(forecastOf(half, fast, [], now)?.seconds_left).toBe(630);
    expect(forecastOf(half, fast, [limit], now)).toMatchObject({
      rate_per_minute: 100_000,
      seconds_left: 60_000,
      estimated_completion_at: '2026-02-01T04:40:00+00:00',
      limits: [limit],
    });
    const nearlyThrough = { ...limit, waiting: 10, seconds_left: 1 };
    expect(forecastOf(half, fast, [nearlyThrough], now)?.seconds_left).toBe(630);
  });

  it('is there before there is a measurement, and while nothing moves', () => {
    const begun = { ...running, started_at: new Date(now) };
    expect(forecastOf(begun, null, [limit], now)?.seconds_left).toBe(60_000);
    expect(forecastOf(running, { ended: 0, ageSeconds: 30 }, [limit], now)?.seconds_left).toBe(60_000);
  });

  it('waits for the app’s other deliveries, and ends when the notification expires', () => {
    const queue = { waiting: 30_000, ahead: 30_000, allowed: 1_000 };
    expect(leftAt(queue, Infinity)).toEqual({ seconds_left: 3_600, expiring: 0 });
    expect(leftAt(queue, 900)).toEqual({ seconds_left: 900, expiring: 22_500 });
    expect(leftAt(queue, 0)).toEqual({ seconds_left: 0, expiring: 30_000 });
  });

  it('shares those who were not tried yet among services as the others were', () => {
    const services = [
      { push_service: 'fcm', accepted: 100, failed: 0, waiting: 500 },
      { push_service: 'mozilla', accepted: 200, failed: 0, waiting: 0 },
    ] as const;
    const counts = { ...running, total_subscribers: 1_700, success_count: 300 };
    const none = new Map<PushService, number>();
    // 800 were tried, 900 were not, and three quarters of the former are at FCM.
    expect(waitingAt(counts, services, 'fcm', none)).toBe(500 + 675);
    expect(waitingAt(counts, [], 'fcm', new Map([['fcm', 3] as const, ['apple', 1] as const]))).toBe(1_050);
    expect(waitingAt(counts, [], 'fcm', none)).toBe(1_400);
  });
});

describe('an interval of a share', () => {
  it('is Wilson’s, and stays between none and all', () => {
    const { low, high } = wilson(87, 116_011);
    expect([low * 100, high * 100]).toEqual([expect.closeTo(0.0608, 4), expect.closeTo(0.0925, 4)]);
    expect(wilson(0, 20)).toEqual({ low: 0, high: expect.closeTo(0.1611, 4) });
    expect(wilson(20, 20)).toEqual({ low: expect.closeTo(0.8389, 4), high: 1 });
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

describe('a sample of blocks', () => {
  it('has all of a small app, and is spread evenly over a large one', () => {
    expect(sampleOf(3, 4)).toEqual({ blocks: [0, 1, 2], scale: 1 });
    expect(sampleOf(10, 4)).toEqual({ blocks: [0, 2, 5, 7], scale: 2.5 });
    expect(sampleOf(0, 4)).toEqual({ blocks: [], scale: 1 });
  });
});
