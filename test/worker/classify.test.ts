// tier: unit
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../engine/contract/outcome.ts';
import { pushServices } from '../../engine/contract/push-service.ts';
import { classifyStatus, MAX_RETRY_AFTER_MS, parseRetryAfter } from '../../engine/worker/classify.ts';

/** The table of the design, and what stands beside it: every status there is falls into one row. */
const table: readonly [outcome: Outcome, statuses: readonly number[]][] = [
  ['accepted', [200, 201, 202, 203, 204, 299]],
  ['gone', [404, 410]],
  ['throttled', [429]],
  [
    'rejected',
    [300, 301, 302, 307, 308, 400, 401, 402, 403, 405, 411, 413, 414, 415, 418, 422, 431, 451, 499],
  ],
  ['unreachable', [408, 500, 501, 502, 503, 504, 507, 599]],
];

describe('a status', () => {
  for (const [outcome, statuses] of table) {
    it(`of ${statuses.join(', ')} is ${outcome}, from any push service`, () => {
      for (const service of pushServices) {
        for (const status of statuses) expect(classifyStatus(status, service), `${status}`).toBe(outcome);
      }
    });
  }

  it('of 406 throttles with WNS and rejects with the others', () => {
    for (const service of pushServices) {
      expect(classifyStatus(406, service)).toBe(service === 'wns' ? 'throttled' : 'rejected');
    }
  });

  it('always ends in an outcome of a finished request', () => {
    const ends = new Set<Outcome>(['accepted', 'gone', 'throttled', 'rejected', 'unreachable']);
    for (const service of pushServices) {
      for (let status = 200; status < 600; status++) expect(ends).toContain(classifyStatus(status, service));
    }
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 15, 12, 0, 0);

  it('is read as seconds', () => {
    expect(parseRetryAfter('0', now)).toBe(0);
    expect(parseRetryAfter(' 120 ', now)).toBe(120_000);
  });

  it('is read as an HTTP date in each of its three forms', () => {
    expect(parseRetryAfter('Thu, 15 Jan 2026 12:00:30 GMT', now)).toBe(30_000);
    expect(parseRetryAfter('Thursday, 15-Jan-26 12:00:30 GMT', now)).toBe(30_000);
    expect(parseRetryAfter('Thu Jan 15 12:00:30 2026', now)).toBe(30_000);
  });

  it('is 0 for a date that has passed, and a day at most', () => {
    expect(parseRetryAfter('Thu, 15 Jan 2026 11:00:00 GMT', now)).toBe(0);
    expect(parseRetryAfter('9999999999', now)).toBe(MAX_RETRY_AFTER_MS);
    expect(parseRetryAfter('9'.repeat(400), now)).toBe(MAX_RETRY_AFTER_MS);
    expect(parseRetryAfter('Fri, 15 Jan 2027 12:00:00 GMT', now)).toBe(MAX_RETRY_AFTER_MS);
  });

  it('is nothing where it is neither', () => {
    for (const header of ['', 'soon', '-5', '1.5', '1e3', '2026-01-15', 'Thu, nonsense']) {
      expect(parseRetryAfter(header, now), header).toBeNull();
    }
  });
});
