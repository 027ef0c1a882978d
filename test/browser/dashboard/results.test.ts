// tier: system
import { describe, expect, it } from 'vitest';
import { partsOf } from '../../../api/dashboard/web/data/deliveries/counts.ts';
import { isTroubled, shownStatus } from '../../../api/dashboard/web/data/deliveries/status.ts';
import { causesOf } from '../../../api/dashboard/web/deliveries/causes.ts';
import { stallOf } from '../../../api/dashboard/web/deliveries/stall.ts';
import { formatShare } from '../../../api/dashboard/web/format/format.ts';

const sent = {
  status: 'partial',
  total_subscribers: 1_148,
  success_count: 1_146,
  failed_count: 2,
  gone_count: 2,
  capped_subscribers: 0,
  guarded_subscribers: 0,
  wished_subscribers: 0,
} as const;

describe('the result of a delivery', () => {
  it('is “sent” where only readers who had left were lost, or a few of many', () => {
    expect(shownStatus(sent)).toBe('success');
    expect(shownStatus({ ...sent, gone_count: 0 })).toBe('success');
    expect(isTroubled({ ...sent, failed_count: 40, gone_count: 10 })).toBe(true);
    expect(shownStatus({ ...sent, failed_count: 40, gone_count: 10 })).toBe('partial');
    expect(shownStatus({ ...sent, status: 'failed', failed_count: 1_148 })).toBe('failed');
  });

  it('counts readers who had left apart from failures, and adds up to all', () => {
    const parts = partsOf({ ...sent, failed_count: 5 });
    expect(Object.fromEntries(parts.map(({ kind, count }) => [kind, count]))).toEqual({
      ...{ accepted: 1_146, gone: 2, failed: 3, capped: 0 },
    });
    expect(partsOf(sent).reduce((sum, { count }) => sum + count, 0)).toBe(1_148);
  });

  it('says what each cause is, and counts the rest whose reasons are not kept', () => {
    const failure = { push_service: 'fcm', reason: null } as const;
    const causes = causesOf({
      failed_count: 20,
      failures: [
        { ...failure, outcome: 'gone', http_status: 410, count: 9 },
        { ...failure, outcome: 'rejected', http_status: 403, count: 4 },
        { ...failure, outcome: 'rejected', http_status: 413, count: 3 },
        { ...failure, outcome: 'expired', push_service: null, http_status: null, count: 2 },
        { ...failure, outcome: 'rejected', push_service: null, http_status: null, count: 1 },
      ],
    });
    expect(causes.map(({ kind, count }) => [kind, count])).toEqual([
      ['gone', 9],
      ['key', 4],
      ['rejected', 3],
      ['expired', 2],
      ['endpoint', 1],
      ['other', 1],
    ]);
  });
});

describe('a share', () => {
  it('is rounded by one rule, and 100% is the whole alone', () => {
    expect(formatShare(3_987, 10_000)).toBe('39.9%');
    expect(formatShare(9_999_999, 10_000_000)).toBe('99.9%');
    expect(formatShare(1, 400)).toBe('0.25%');
    expect(formatShare(1, 10_000_000)).toBe('<\u00a00.01%');
    expect([formatShare(0, 7), formatShare(7, 7), formatShare(0, 0)]).toEqual(['0%', '100%', '–']);
  });
});

describe('a delivery in progress', () => {
  const service = { push_service: 'mozilla', accepted: 0, failed: 0, throttled: 0, waiting: 0 } as const;
  const forecast = { rate_per_minute: 600, seconds_left: 1, estimated_completion_at: null, limits: [] };
  const running = {
    status: 'processing',
    total_subscribers: 100,
    failed_count: 0,
    capped_subscribers: 0,
    started_at: '2026-01-31T11:00:00+00:00',
    rate_per_minute: null,
    forecast,
    next_attempt_at: '2026-01-31T12:00:00+00:00',
  } as const;

  it('names the push service for which all the rest waits, whatever the average of the last half minute says', () => {
    const push_services = [
      { ...service, push_service: 'fcm', accepted: 90, rate: 3 } as const,
      { ...service, waiting: 10, rate: 0 },
    ];
    expect(stallOf({ ...running, success_count: 90, push_services })).toEqual({
      ...{ services: ['mozilla'], waiting: 10, nextAt: '2026-01-31T12:00:00+00:00' },
    });
  });

  it('stands still while every request hangs, and not between the steps of its pace', () => {
    const hanging = { ...running, success_count: 0, push_services: [], next_attempt_at: null };
    const none = { ...forecast, rate_per_minute: 0, seconds_left: null };
    expect(stallOf({ ...hanging, forecast: none })).toEqual({ services: [], waiting: 100, nextAt: null });
    expect(stallOf({ ...hanging, forecast: null })).toBeNull();
    expect(stallOf({ ...hanging, forecast: none, rate_per_minute: 30 })).toBeNull();
  });

  it('waits for nobody in its first half minute', () => {
    const push_services = [{ ...service, waiting: 100, rate: 0 }];
    const begun = { ...running, success_count: 0, push_services };
    const atSecond = (seconds: number): number => Date.parse(running.started_at) + seconds * 1_000;
    expect(stallOf(begun, atSecond(5))).toBeNull();
    expect(stallOf(begun, atSecond(31))).toMatchObject({ services: ['mozilla'], waiting: 100 });
  });

  it('goes on while any push service accepts and others still have readers', () => {
    const push_services = [{ ...service, rate: 12, accepted: 50 }];
    expect(stallOf({ ...running, success_count: 50, push_services })).toBeNull();
  });
});
