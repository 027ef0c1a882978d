import { describe } from 'vitest';
import type { LogHarness } from './harness.ts';
import { describeClaims } from './log-claims.ts';
import { describeConsumers } from './log-consumers.ts';
import { describeFaults } from './log-faults.ts';
import { describePlanning } from './log-planning.ts';

/** The sentences that hold for every log. */
export function describeLog(name: string, harness: LogHarness): void {
  describe(name, () => {
    // Each test has a log of its own, so they may run side by side; the last ones take the broker away.
    describe.concurrent('consumers', () => describeConsumers(harness));
    describe.concurrent('claims', () => describeClaims(harness));
    describe.concurrent('planning', () => describePlanning(harness));
    describe('faults', () => describeFaults(harness));
  });
}
