// tier: unit
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HandOffRow } from '../../bench/hand-off/measure.ts';
import { handOffReport } from '../../bench/hand-off/report.ts';
import { openLedger } from '../support/push-service/ledger.ts';

const row = (beside: number, last: number, ratio: number): HandOffRow => ({
  ...{ log: 'pgboss', subscribers: 1_000, beside, rounds: 1, bulk_meanwhile: 0.1 },
  ...{ first_ms: 10, p50_ms: 50, p99_ms: 90, last_ms: last, ratio },
});

it('says for each pair whether the last reader waits at most 1.2 times as long as alone', () => {
  const { notes } = handOffReport([
    row(0, 100, 1),
    row(5_000, 119, 1.19),
    row(0, 100, 1),
    row(9_000, 130, 1.3),
  ]);
  expect(notes).toEqual([
    '1,000, beside 5,000: the last reader waits 1.19 times as long as alone (at most 1.2: met).',
    '1,000, beside 9,000: the last reader waits 1.30 times as long as alone (at most 1.2: missed).',
  ]);
});

it('counts arrivals at the marked indexes apart from the others’', () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-ledger-'));
  const ledger = openLedger(folder, ['fcm'], false);
  const arrive = (index: number): void =>
    ledger.record({
      index,
      origin: 0,
      status: 201,
      accepted: true,
      cause: 'none',
      reading: { kind: 'unread' },
    });
  const sums = () => {
    const { counts, others } = ledger.arrivals();
    return [counts, others].map((of) => of.reduce((sum, count) => sum + count, 0));
  };
  try {
    for (const index of [1, 2, 3]) arrive(index);
    expect(sums()).toEqual([3, 0]);
    ledger.mark('breaking', 2);
    for (const index of [1, 2, 3, 0]) arrive(index);
    expect(sums()).toEqual([2, 2]);
  } finally {
    ledger.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
