import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { Access } from '../report/access.ts';
import { accessConditions } from '../report/base-rows.ts';
import { createParameters, type Parameters } from '../report/parameters.ts';

/** A place in the feed: a day of a restatement. */
export interface FeedPlace {
  /** When it was restated, in microseconds since 1970: numbers in a row would say how often others are. */
  readonly id: number;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

interface Figures {
  readonly rows: number;
  readonly impressions: number;
  readonly viewable: number;
  /** An exact decimal in the currency. */
  readonly earnings: string;
}

/** What a restatement changed of one day, of the rows that the token sees. */
interface RestatedDay extends FeedPlace {
  readonly source: string;
  /** `replaced`: of a restatement; `added`: a batch or an import added to a final day. */
  readonly change: 'replaced' | 'added';
  readonly was_final: boolean;
  /** For tokens that see everything, as is the account of the machine that imported. */
  readonly load?: number;
  readonly restated_at: string;
  readonly restated_by?: string | null;
  readonly currencies: readonly {
    readonly currency: string;
    readonly before: Figures;
    readonly after: Figures;
  }[];
}

interface FeedQuestion {
  readonly access: Access;
  /** The newest first, or the oldest first, as a reader that goes on from where it was. */
  readonly order: 'newest' | 'oldest';
  readonly after: FeedPlace | null;
  readonly limit: number;
}

export interface FeedDeps {
  readonly sql: Sql;
  readonly clickhouse: Pick<ClickHouse, 'client'>;
}

/**
 * Restated days of which the token saw rows before: to others, nothing changed that they knew. Restatements are in the feed in their order and with their
 * figures: one that is not counted yet holds up those after it, for some seconds, and goes to the end where it cannot be.
 */
export async function readRestatements(
  { sql, clickhouse: { client } }: FeedDeps,
  question: FeedQuestion,
): Promise<RestatedDay[]> {
  const [bound] = await sql.query<{ before: number }>(
    `SELECT coalesce((SELECT min(id) FROM ad_restatements WHERE counted_at IS NULL),
       (SELECT max(id) + 1 FROM ad_restatements), 0) AS before`,
  );
  const parameters = createParameters();
  const after = question.after === null ? null : await ownPlace(sql, question.after);
  const query = feedStatement({ ...question, after }, bound?.before ?? 0, parameters);
  const answer = await client.query({ query, query_params: parameters.params, format: 'JSONEachRow' });
  const found = (await answer.json<FoundDay>()).map((row) => ({ ...row, id: Number(row.id) }));
  const known = await describe(
    sql,
    found.map(({ id }) => id),
  );
  return found.flatMap(({ id: own, day, currencies }) => {
    const about = known.get(own);
    if (about === undefined) return [];
    const { shown: id, source, load, replaces, at, made_by: by, final_days: finals } = about;
    return [
      {
        ...{ id, day, source, was_final: finals.includes(day), restated_at: at.toISOString() },
        change: replaces ? ('replaced' as const) : ('added' as const),
        ...(question.access === 'unrestricted' ? { load, restated_by: by } : {}),
        currencies: currencies.map(([currency, before, after]) => ({
          currency,
          before: figuresOf(before),
          after: figuresOf(after),
        })),
      },
    ];
  });
}

type Sums = readonly [rows: string, impressions: string, viewable: string, earnings: string];
interface FoundDay {
  readonly id: number | string;
  readonly day: string;
  readonly currencies: readonly (readonly [currency: string, before: Sums, after: Sums])[];
}

const figuresOf = ([rows, impressions, viewable, earnings]: Sums): Figures => ({
  rows: Number(rows),
  impressions: Number(impressions),
  viewable: Number(viewable),
  earnings,
});

function feedStatement(question: FeedQuestion, before: number, parameters: Parameters): string {
  const { access, order, after, limit } = question;
  const direction = order === 'newest' ? 'DESC' : 'ASC';
  const place =
    after === null
      ? []
      : [
          `(restatement, ad_stats.day) ${order === 'newest' ? '<' : '>'} (${parameters.value('UInt64', after.id)}, ${parameters.value('Date', after.day)})`,
        ];
  const conditions = [
    `restatement < ${parameters.value('UInt64', before)}`,
    ...place,
    ...accessConditions({ access, parameters }),
  ];
  const names = ['rows', 'impressions', 'viewable', 'earnings'];
  const sums = (when: string): string => `(${names.map((name) => `toString(s_${name}_${when})`).join(', ')})`;
  const columns = ['before', 'after'].flatMap((when) =>
    names.map((name) => `sum(ad_stats.${name}_${when}) AS s_${name}_${when}`),
  );
  // The alias is the name that the conditions of access have.
  return `SELECT c_id AS id, toString(c_day) AS day,
      arraySort(groupArray((c_currency, ${sums('before')}, ${sums('after')}))) AS currencies
    FROM (
      SELECT restatement AS c_id, ad_stats.day AS c_day, toString(ad_stats.currency) AS c_currency, ${columns.join(', ')}
      FROM ad_restated_sums AS ad_stats FINAL
      WHERE ${conditions.join(' AND ')} GROUP BY c_id, c_day, c_currency)
    GROUP BY c_id, c_day HAVING sum(s_rows_before) > 0 ORDER BY c_id ${direction}, c_day ${direction} LIMIT ${parameters.value('UInt32', limit)}`;
}

/** Cursors of the release before have the number of the restatement itself. */
const FIRST_TIME = 1e12;

/** @returns the place with the number by which ClickHouse knows the restatement. */
async function ownPlace(sql: Sql, { id, day }: FeedPlace): Promise<FeedPlace> {
  if (id < FIRST_TIME) return { id, day };
  const [found] = await sql.query<{ id: number }>(
    `SELECT id FROM ad_restatements WHERE at <= to_timestamp(0) + $1 * interval '1 microsecond'
     ORDER BY at DESC LIMIT 1`,
    [id],
  );
  return { id: found?.id ?? 0, day };
}

interface Described {
  readonly shown: number;
  readonly source: string;
  readonly load: number;
  readonly replaces: boolean;
  readonly at: Date;
  readonly made_by: string | null;
  readonly final_days: readonly string[];
}

async function describe(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, Described>> {
  const rows = await sql.query<Described & { id: number }>(
    `SELECT changes.id, (extract(epoch FROM changes.at) * 1000000)::bigint AS shown, changes.source, changes.load, changes.replaces, changes.at, loads.made_by,
       ARRAY(SELECT day::text FROM unnest(changes.days, changes.finals) AS own (day, final) WHERE final) AS final_days
     FROM ad_restatements AS changes JOIN ad_loads AS loads ON loads.id = changes.load
     WHERE changes.id = ANY($1)`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}
