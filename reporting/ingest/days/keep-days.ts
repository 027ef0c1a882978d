import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { hasFinalDays } from '../../../engine/adapters/postgres/final-days.ts';
import { findTrue } from '../../../engine/adapters/postgres/find-true.ts';
import { eachStep } from '../../../engine/contract/concurrency/each-step.ts';
import { applyRules } from './ad-days.ts';
import { queueFinalWebhooks } from './final-webhooks.ts';
import { countRestated } from './restated-sums.ts';
import { lockUncounted, noteCounted } from './restatements.ts';

/** The lock on its row keeps others from counting it at once, for as long as the statement takes. */
const countNext = (database: Database, clickhouse: ClickHouse): Promise<number> =>
  database.transaction(async (sql) => {
    const restatement = await lockUncounted(sql);
    if (restatement === null) return 0;
    await countRestated(clickhouse, restatement);
    await noteCounted(sql, restatement.id);
    return 1;
  });

const steps = { rules: applyRules, restated: countNext, final: queueFinalWebhooks };
/** Mostly there is nothing, which is one statement then. */
const conditions: Readonly<Record<keyof typeof steps, string>> = {
  rules: `EXISTS (SELECT FROM ad_source_settings WHERE settings ? 'finalAfter')`,
  restated: 'EXISTS (SELECT FROM ad_restatements WHERE counted_at IS NULL)',
  final: hasFinalDays('webhooks'),
};

/**
 * A step of what follows from loads and the time: days become final by rules, webhooks say so, and restatements get their figures, the oldest
 * first. Any number of processes may run it; if one dies, the next step of any does the same again.
 * @returns how much it did.
 */
export const createKeepDays =
  ({ database, clickhouse }: { readonly database: Database; readonly clickhouse: ClickHouse }) =>
  (): Promise<number> =>
    // A restatement that cannot be counted keeps nobody's webhook.
    findTrue(database, conditions).then((due) =>
      eachStep(due.map((name) => () => steps[name](database, clickhouse))),
    );
