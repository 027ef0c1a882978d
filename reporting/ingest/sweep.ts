import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { eachStep } from '../../engine/contract/concurrency/each-step.ts';
import type { AdStatsRemoval } from './ad-stats-removal.ts';
import {
  abandonedLoads,
  abandonForgotten,
  noteDaysCleaned,
  noteLoadsCleaned,
  supersededDays,
} from './ad-sweeps.ts';

/**
 * How long rows that were restated stay: longer than any report takes, from reading the ledger to its last
 * row. A report that read the ledger before the restatement still counts them.
 */
export const SWEEP_GRACE_MS = 15 * 60_000;

const LOADS_PER_STEP = 100;
const DAYS_PER_STEP = 100;

export interface SweepDeps {
  readonly sql: Sql;
  readonly removal: AdStatsRemoval;
  readonly graceMs?: number;
}

/**
 * Deletes rows that no ledger lets through, so that the ledger's lists stay short. A step looks whether rows
 * are left: begins to delete them, or notes that there are none. Stopped anywhere, run by several processes or
 * twice, it does the same again.
 * @returns a step; how much it did, 0 where nothing was to be done or a deletion still runs.
 */
export function createSweep({ sql, removal, graceMs = SWEEP_GRACE_MS }: SweepDeps): () => Promise<number> {
  async function sweepLoads(): Promise<number> {
    const loads = await abandonedLoads(sql, LOADS_PER_STEP);
    if (loads.length === 0) return 0;
    if (await removal.hasLoads(loads)) await removal.removeLoads(loads);
    else await noteLoadsCleaned(sql, loads);
    return loads.length;
  }

  async function sweepDays(): Promise<number> {
    const days = await supersededDays(sql, graceMs, DAYS_PER_STEP);
    if (days.length === 0) return 0;
    if (await removal.hasDays(days)) await removal.removeDays(days);
    else await noteDaysCleaned(sql, graceMs, days);
    return days.length;
  }

  return async () => {
    const forgotten = await abandonForgotten(sql);
    // One at a time: a mutation rewrites whole parts.
    if (await removal.removing()) return 0;
    return forgotten + (await eachStep([sweepLoads, sweepDays]));
  };
}
