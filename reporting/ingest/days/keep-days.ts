import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { hasFinalDays } from '../../../engine/adapters/postgres/final-days.ts';
import { findTrue } from '../../../engine/adapters/postgres/find-true.ts';
import type { Clock } from '../../../engine/contract/concurrency/clock.ts';
import { eachStep } from '../../../engine/contract/concurrency/each-step.ts';
import { applyRules } from './ad-days.ts';
import { createBehindOthers } from './behind-others.ts';
import { moveSourcesBehind, queueFinalWebhooks } from './final-webhooks.ts';
import { countRestated } from './restated-sums.ts';
import { lockUncounted, moveBehind, noteCounted } from './restatements.ts';

interface KeepDaysDeps {
  readonly database: Database;
  readonly clickhouse: ClickHouse;
  readonly count?: typeof countRestated;
  readonly clock?: Pick<Clock, 'now'>;
  /** Of what goes behind the others: it keeps no step, so that the others come at their own pace. Left out: the step throws it. */
  readonly onFault?: (error: unknown) => void;
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
 * cannot be counted, and a source whose rows cannot be read for its webhooks, are set aside and tried again later, at the
 * end of the feed: they hold up no other source's.
 * @returns a step that resolves to how much it did.
 */
export function createKeepDays({
  database,
  clickhouse,
  count = countRestated,
  clock,
  onFault = (error) => {
    throw error;
  },
}: KeepDaysDeps): () => Promise<number> {
  const restatements = createBehindOthers<number>({ database, clickhouse, clock, onFault });
  const sources = createBehindOthers<string>({ database, clickhouse, clock, onFault });

  /** The lock on its row keeps others from counting it at once, for as long as the statement takes. */
  const countNext = () =>
    restatements.run(async (aside, takes) => {
      if (aside.length > 0) await moveBehind(database, aside);
      return database.transaction(async (sql) => {
        const found = await lockUncounted(sql, aside);
        if (found === null) return 0;
        takes(found.load, `the restatement of load ${found.load} of ${found.source}`);
        await count(clickhouse, found);
        await noteCounted(sql, found.id);
        return 1;
      });
    });

  const queueNext = () =>
    sources.run(async (aside, takes) => {
      if (aside.length > 0) await moveSourcesBehind(database, aside);
      return queueFinalWebhooks(database, clickhouse, aside, ({ source, firstDay }) =>
        takes(source, `reports.final of ${source} from ${firstDay}`),
      );
    });

  const steps: Readonly<Record<keyof typeof conditions, () => Promise<number>>> = {
    rules: () => applyRules(database),
    restated: countNext,
    final: queueNext,
  };
  // A restatement that cannot be counted keeps nobody's webhook.
  return async () => eachStep((await findTrue(database, conditions)).map((name) => steps[name]));
}
