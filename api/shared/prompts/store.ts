import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { PromptSettings, PromptsBody, VariantKey } from './schema.ts';

export interface StoredPrompts extends PromptSettings {
  /** 0: nothing is set. */
  readonly round: number;
  readonly updated_at: Date | null;
}

/** Of an app that has set nothing: its pages show the bell. */
const unset: StoredPrompts = {
  enabled: false,
  variants: [{ kind: 'bell' }],
  pages: 1,
  seconds: 3,
  scroll_percent: 0,
  show_on: [],
  hide_on: [],
  ask_again_after_days: null,
  win_back: true,
  round: 0,
  updated_at: null,
};

/** Further fields are not stored. */
export function settingsOf(body: PromptsBody): PromptSettings {
  const { enabled, pages, seconds, scroll_percent, show_on, hide_on, ask_again_after_days, win_back } = body;
  return {
    enabled,
    variants: body.variants.map(variantOf),
    pages: pages ?? unset.pages,
    seconds: seconds ?? unset.seconds,
    scroll_percent: scroll_percent ?? unset.scroll_percent,
    show_on: show_on ?? [],
    hide_on: hide_on ?? [],
    ask_again_after_days: ask_again_after_days ?? null,
    win_back: win_back ?? unset.win_back,
  };
}

type Variant = PromptsBody['variants'][number];

const variantOf = ({ kind, place, question, accept, later, categories, colours }: Variant): Variant => ({
  kind,
  ...given({ place, question, accept, later, categories }),
  ...(colours && { colours: coloursOf(colours) }),
});

const coloursOf = ({ background, text, accent, accent_text }: NonNullable<Variant['colours']>) =>
  given({ background, text, accent, accent_text });

/** Without the fields that were left out. */
const given = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };

export async function readPrompts(sql: Sql, appId: AppId): Promise<StoredPrompts> {
  const [row] = await sql.query<Row>('SELECT round, settings, updated_at FROM prompts WHERE app_id = $1', [
    appId,
  ]);
  return row === undefined ? unset : storedOf(row);
}

interface Row {
  readonly round: number;
  /** Those of an earlier version do not say whether readers are won back. */
  readonly settings: Omit<PromptSettings, 'win_back'> & Partial<Pick<PromptSettings, 'win_back'>>;
  readonly updated_at: Date;
}
const storedOf = ({ round, settings, updated_at }: Row): StoredPrompts => ({
  ...settings,
  win_back: settings.win_back ?? unset.win_back,
  ...{ round, updated_at },
});

/** Of two writers at once the later one wins. Other variants are another round. */
export async function writePrompts(sql: Sql, appId: AppId, settings: PromptSettings): Promise<StoredPrompts> {
  const [row] = await sql.query<Row>(
    `INSERT INTO prompts AS kept (app_id, settings) VALUES ($1, $2)
     ON CONFLICT (app_id) DO UPDATE SET settings = excluded.settings, updated_at = now(),
       round = kept.round + (kept.settings -> 'variants' <> excluded.settings -> 'variants')::integer
     RETURNING round, settings, updated_at`,
    [appId, JSON.stringify(settings)],
  );
  if (row === undefined) throw new Error('the prompts just written are not there');
  return storedOf(row);
}

export interface PromptCounts {
  readonly variant: VariantKey;
  readonly since: string;
  readonly shown: number;
  readonly accepted: number;
  readonly granted: number;
  readonly dismissed: number;
  readonly subscribed: number;
}

/** Of one round: at most two. */
export const readPromptCounts = (sql: Sql, appId: AppId, round: number): Promise<PromptCounts[]> =>
  sql.query<PromptCounts>(
    `SELECT variant, min(day)::text AS since, sum(shown)::bigint AS shown, sum(accepted)::bigint AS accepted,
       sum(granted)::bigint AS granted, sum(dismissed)::bigint AS dismissed, sum(subscribed)::bigint AS subscribed
     FROM prompt_counts WHERE app_id = $1 AND round = $2 GROUP BY variant`,
    [appId, round],
  );
