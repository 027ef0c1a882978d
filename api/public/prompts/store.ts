import { orderOfNames } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { PromptSettings } from '../../shared/prompts/schema.ts';
import { readPrompts } from '../../shared/prompts/store.ts';
import { type PromptEvent, type PublicPrompt, type PublicVariant, promptEvents } from './schema.ts';

/** More would not fit into a prompt. */
const MAX_CATEGORIES = 12;

/** Null: none is switched on. */
export async function readPublicPrompt(sql: Sql, appId: AppId): Promise<PublicPrompt | null> {
  const { enabled, ...prompts } = await readPrompts(sql, appId);
  if (!enabled) return null;
  const variants = prompts.variants.map(publicVariant);
  return {
    round: prompts.round,
    variants,
    pages: prompts.pages,
    seconds: prompts.seconds,
    scrollPercent: prompts.scroll_percent,
    showOn: prompts.show_on,
    hideOn: prompts.hide_on,
    againAfterDays: prompts.ask_again_after_days,
    winBack: prompts.win_back,
    categories: variants.some(({ categories }) => categories) ? await categoriesOf(sql, appId) : [],
  };
}

function publicVariant({
  kind,
  place,
  question,
  accept,
  later,
  categories = false,
  colours: { background, text, accent, accent_text: accentText } = {},
}: PromptSettings['variants'][number]): PublicVariant {
  return {
    ...{ kind, place, question, accept, later, categories },
    colours: { background, text, accent, accentText },
  };
}

const categoriesOf = (sql: Sql, appId: AppId): Promise<{ id: number; name: string }[]> =>
  sql.query<{ id: number; name: string }>(
    `SELECT id, name FROM delivery_categories WHERE app_id = $1 AND deleted_at IS NULL
     ORDER BY ${orderOfNames('name')}, id LIMIT $2`,
    [appId, MAX_CATEGORIES],
  );

export interface PromptReport {
  readonly appId: AppId;
  readonly promptVariant: string;
  readonly event: PromptEvent;
}

const today = `(now() AT TIME ZONE 'UTC')::date`;
const hasVariant = `ascii(variant) - 96 <= jsonb_array_length(settings -> 'variants')`;

/** Adds new subscriptions of app `$1`. @param source rows with `prompt_variant`; null counts nowhere. */
export const countVariants = (source: string): string => `
  INSERT INTO prompt_counts AS kept (app_id, round, variant, day, subscribed)
  SELECT $1, round, variant, ${today}, count(*)
  FROM (SELECT ${roundAndVariant('prompt_variant')} FROM ${source}) AS named JOIN prompts USING (round)
  WHERE app_id = $1 AND ${hasVariant} GROUP BY round, variant ORDER BY variant
  ON CONFLICT (app_id, round, variant, day) DO UPDATE SET subscribed = kept.subscribed + excluded.subscribed`;

/** Round and variant of a text like `3.a`. */
const roundAndVariant = (given: string): string =>
  `split_part(${given}, '.', 1)::integer AS round, split_part(${given}, '.', 2) AS variant`;

/**
 * Adds what browsers said. A round that is not the app's current one, and a variant that it does not have, count
 * nowhere: so an app has at most two rows a day.
 *
 * How a site asks lives in `prompts`, and what came of it in `prompt_counts`. If its owner dies, browsers’ reports of the
 * last second are lost; new subscriptions are counted in their own transaction.
 */
export async function countReports(sql: Sql, reports: readonly PromptReport[]): Promise<void> {
  const sums = promptEvents.map((event) => `count(*) FILTER (WHERE event = '${event}') AS ${event}`);
  const added = promptEvents.map((event) => `${event} = kept.${event} + excluded.${event}`);
  await sql.query(
    `WITH given AS (
       SELECT "appId" AS app_id, ${roundAndVariant('"promptVariant"')}, event
       FROM jsonb_to_recordset($1::jsonb) AS report ("appId" integer, "promptVariant" text, event text)
     )
     INSERT INTO prompt_counts AS kept (app_id, round, variant, day, ${promptEvents.join(', ')})
     SELECT app_id, round, variant, ${today}, ${sums.join(', ')}
     FROM given JOIN prompts USING (app_id, round)
     WHERE ${hasVariant}
     GROUP BY app_id, round, variant ORDER BY app_id, variant
     ON CONFLICT (app_id, round, variant, day) DO UPDATE SET ${added.join(', ')}`,
    [JSON.stringify(reports)],
  );
}
