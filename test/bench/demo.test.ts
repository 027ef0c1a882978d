// tier: system
import { describe, expect, it } from 'vitest';
import { type Books, differences, serviceDifferences } from '../../bench/demo/books.ts';
import { reportLines } from '../../bench/demo/report.ts';
import { spawnBroadside } from '../support/broadside-process.ts';

const equal: Books = {
  delivery: {
    status: 'success',
    total_subscribers: 100,
    success_count: 97,
    failed_count: 2,
    capped_subscribers: 1,
  },
  push_service: { received: 99, distinct: 97, decrypted: 10, duplicates: 0 },
  clickhouse: { accepted: 97 },
};
const expected = { subscribers: 100, decrypted: 10 };

describe('comparing the three books', () => {
  it('finds nothing where they agree', () => {
    expect(differences(equal, expected)).toEqual([]);
  });

  it.each<[what: string, wrong: Books, sentence: RegExp]>([
    [
      'a subscriber who was forgotten',
      { ...equal, delivery: { ...equal.delivery, total_subscribers: 99 } },
      /100 were imported/,
    ],
    [
      'counts that do not add up',
      { ...equal, delivery: { ...equal.delivery, failed_count: 1 } },
      /total is not/,
    ],
    [
      'a push that never arrived',
      { ...equal, push_service: { ...equal.push_service, distinct: 96 } },
      /served 96/,
    ],
    [
      'a push that came twice',
      { ...equal, push_service: { ...equal.push_service, duplicates: 1 } },
      /more than once/,
    ],
    [
      'a message that could not be read',
      { ...equal, push_service: { ...equal.push_service, decrypted: 9 } },
      /9 messages were decrypted/,
    ],
    ['an outcome that ClickHouse lacks', { ...equal, clickhouse: { accepted: 96 } }, /ClickHouse counts 96/],
  ])('names %s', (_what, wrong, sentence) => {
    expect(differences(wrong, expected)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
  });
});

describe('comparing a delivery with analytics by push service', () => {
  const services = {
    push_services: [
      { accepted: 90, failed: 0 },
      { accepted: 7, failed: 2 },
    ],
    unrecorded: 0,
  };
  const [fcm] = services.push_services;

  it('finds nothing where they agree', () => {
    expect(serviceDifferences(equal, services)).toEqual([]);
  });

  it('names rows that analytics lack, and rows that they count twice', () => {
    expect(
      serviceDifferences(equal, { push_services: [{ accepted: 90, failed: 1 }], unrecorded: 8 }),
    ).toEqual([
      'analytics count 90 accepted by push services, the delivery 97',
      'analytics count 1 failed by push services, the delivery 2',
      'analytics lack 8 messages',
    ]);
    const twice = {
      ...services,
      push_services: [...services.push_services, fcm ?? { accepted: 1, failed: 0 }],
    };
    expect(serviceDifferences(equal, twice)).toEqual([
      'analytics count 187 accepted by push services, the delivery 97',
    ]);
  });
});

describe('the demo’s report', () => {
  it('fits a terminal of 80 columns, and lines its numbers up', () => {
    const row = { impressions: 1_234_567_890, earnings: 1_234_567.891, earnings_change: -12.34, ecpm: 1.005 };
    const lines = reportLines({
      data: [{ domain: 'elsewhere.example', device: 'desktop', ...row }],
      meta: {
        start_date: '2026-01-01',
        end_date: '2026-01-14',
        currency: 'EUR',
        complete_until: '2026-01-15T00:00:00+00:00',
        rates: [{ source: 'demo', first_day: '2025-12-31', last_day: '2026-01-14' }],
        totals: row,
      },
    });
    for (const line of lines) expect(`  ${line}`.length, line).toBeLessThanOrEqual(80);
    const [data, , total] = lines.filter((line) => /elsewhere|─|total/.test(line)).slice(1);
    expect(data?.length).toBe(total?.length);
  });
});

describe('npm run demo', () => {
  it('sends to real subscriptions, decrypts every message, and ends with one line of JSON', async () => {
    const demo = spawnBroadside(['demo', '--subscribers', '3000', '--verify', 'all', '--json'], {});
    expect(await demo.exited, demo.output()).toBe(0);
    const last = demo.output().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toEqual({
      delivery: {
        status: 'success',
        total_subscribers: 3_000,
        success_count: 3_000,
        failed_count: 0,
        capped_subscribers: 0,
      },
      push_service: { received: 3_000, distinct: 3_000, decrypted: 3_000, duplicates: 0 },
      clickhouse: { accepted: 3_000 },
      engine: {
        cpu_us_per_message: expect.any(Number),
        messages_per_second: expect.any(Number),
        rss_peak_mb: expect.any(Number),
      },
      report: {
        rows: 5,
        impressions: expect.any(Number),
        earnings: expect.any(Number),
        ecpm: expect.any(Number),
      },
    });
  });

  it('explains errors in its options', async () => {
    const demo = spawnBroadside(['demo', '--verify', 'some'], {});
    expect(await demo.exited).toBe(2);
    expect(demo.output()).toContain('one-in-50');
  });
});
