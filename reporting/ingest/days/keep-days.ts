import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { hasFinalDays } from '../../../engine/adapters/postgres/final-days.ts';
import { findTrue } from '../../../engine/adapters/postgres/find-true.ts';
import type { Clock } from '../../../engine/contract/concurrency/clock.ts';
import { eachStep } from '../../../engine/contract/concurrency/each-step.ts';
import { createSetAside } from '../../../engine/contract/concurrency/set-aside.ts';
import { applyRules } from './ad-days.ts';
import { queueFinalWebhooks } from './final-webhooks.ts';
import { countRestated } from './restated-sums.ts';
import { lockUncounted, moveBehind, noteCounted, type Uncounted } from './restatements.ts';

/** Tries in a row before a restatement is set aside, and how long it is. */
const TRIES = 3;
const ASIDE_MS = 600_000;
const MOST_ASIDE = 1_000;

interface KeepDaysDeps {
  readonly database: Database;
  readonly clickhouse: ClickHouse;
  readonly count?: typeof countRestated;
  readonly clock?: Pick<Clock, 'now'>;
}

/** Mostly there is nothing, which is one statement then. */
const conditions = {
  rules: `EXISTS (SELECT FROM ad_source_settings WHERE settings ? 'finalAfter')`,
  restated: 'EXISTS (SELECT FROM ad_restatements WHERE counted_at IS NULL)',
  final: hasFinalDays('webhooks'),
};

/**
 * A step of what follows from loads and the time: days become final by rules, webhooks say so, and restatements get their figures, the oldest
 * first. Any number of processes may run it; if one dies, the next step of any does the same again. A restatement that
 * cannot be counted is set aside and tried again later, at the end of the feed: it holds up no other source's.
 * @returns a step that resolves to how much it did.
 */
export function createKeepDays({
  database,
  clickhouse,
  count = countRestated,
  clock,
}: KeepDaysDeps): () => Promise<number> {
  const aside = createSetAside<number>(ASIDE_MS, MOST_ASIDE, clock);
  const failures = new Map<number, number>();

  /** The lock on its row keeps others from counting it at once, for as long as the statement takes. */
  async function countNext(): Promise<number> {
    const tried: Uncounted[] = [];
    try {
      return await database.transaction(async (sql) => {
        const loads = aside.keys();
        const found = await lockUncounted(sql, loads);
        if (found === null) return 0;
        tried.push(found);
        await count(clickhouse, found);
        await noteCounted(sql, found.id);
        failures.delete(found.load);
        if (loads.length > 0) await moveBehind(sql, loads);
        return 1;
      });
    } catch (error) {
      for (const one of tried) await noteFailure(one, error);
      throw error;
    }
  }

  async function noteFailure({ load, source }: Uncounted, error: unknown): Promise<void> {
    // While ClickHouse does not answer it is nobody's fault.
    if (!(await clickhouse.ping())) return;
    const tries = (failures.get(load) ?? 0) + 1;
    failures.set(load, tries);
    if (tries < TRIES) return;
    aside.add(load);
    if (failures.size > MOST_ASIDE) failures.clear();
    await moveBehind(database, aside.keys());
    // Without a cause: of an outage the log shows the innermost words alone.
    throw new Error(
      `the restatement of load ${load} of ${source} waits behind the others, for it cannot be counted: ${String(error)}`,
    );
  }

  const steps: Readonly<Record<keyof typeof conditions, () => Promise<number>>> = {
    rules: () => applyRules(database),
    restated: countNext,
    final: () => queueFinalWebhooks(database, clickhouse),
  };
  // A restatement that cannot be counted keeps nobody's webhook.
  return async () => eachStep((await findTrue(database, conditions)).map((name) => steps[name]));
}
