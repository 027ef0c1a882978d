import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { decisionRule } from '../../../engine/campaigns/rules/ab-test.ts';
import { decide } from '../../../engine/campaigns/rules/decide.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { percent } from '../../http/fields.ts';
import { type VariantKey, variantKeys } from '../../shared/prompts/schema.ts';
import { type PromptCounts, readPromptCounts, readPrompts } from '../../shared/prompts/store.ts';

/** How the variants of the current round do. No winner is chosen: whoever reads it decides. */
export async function readPromptResults(sql: Sql, appId: AppId) {
  const { round, variants } = await readPrompts(sql, appId);
  const counts = await readPromptCounts(sql, appId, round);
  const counted = variants.map(({ kind }, index) => {
    const variant = variantKeys[index] ?? 'b';
    return { kind, ...(counts.find((each) => each.variant === variant) ?? noCounts(variant)) };
  });
  // A browser that subscribed has seen it, though its report may be lost.
  const compared = decide(
    counted.map(({ shown, subscribed }) => ({ accepted: Math.max(shown, subscribed), clicked: subscribed })),
    decisionRule,
  );
  const isEarly = compared.reason === 'too-few' || counted.every(({ subscribed }) => subscribed === 0);
  return {
    round,
    since: counts.map(({ since }) => since).sort()[0] ?? null,
    variants: counted.map(({ since: _, ...each }, index) => {
      const { interval = null, probabilityBest = 0, accepted = 0 } = compared.variants[index] ?? {};
      return {
        ...each,
        rate: accepted === 0 ? null : percent(each.subscribed, accepted),
        interval: isEarly || interval === null ? null : percentsOf(interval),
        probability_best: isEarly ? null : Math.round(probabilityBest * 1_000) / 1_000,
      };
    }),
  };
}

const percentsOf = ([low, high]: readonly [number, number]): [number, number] => [
  percent(low, 1),
  percent(high, 1),
];

const noCounts = (variant: VariantKey): PromptCounts => ({
  variant,
  since: '',
  ...{ shown: 0, accepted: 0, granted: 0, dismissed: 0, subscribed: 0 },
});
