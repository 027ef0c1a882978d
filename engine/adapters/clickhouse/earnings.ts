import type { Rate } from '../../contract/rate-table.ts';
import type { ClickHouse } from './clickhouse.ts';
import { type VisibleLoads, visibleRows } from './visible-rows.ts';

/** Which ad statistics: of a site, over days in UTC (`YYYY-MM-DD`, both ends included), as one ledger shows them. */
export interface EarningsQuestion {
  /** Names of the site itself: as `domain`, all of it is the site's. */
  readonly names: readonly string[];
  /** The parent domains of the site: their rows count where they name the site as their `subdomain`. */
  readonly parents: readonly string[];
  readonly firstDay: string;
  readonly lastDay: string;
  readonly ledger: VisibleLoads;
}

/** What was counted on one day in one currency. */
export interface DayEarnings {
  readonly date: string;
  readonly currency: string;
  /** Of the rows that earned something, or of those that did not: only the first need a rate. */
  readonly earned: boolean;
  readonly impressions: bigint;
  /** An exact decimal of at most 8 places. */
  readonly earnings: string;
}

/** As `DayEarnings`, of one hour; `hour` null: of rows that are whole days. */
export interface HourEarnings extends DayEarnings {
  /** In UTC, from 0. */
  readonly hour: number | null;
}

export interface Earnings {
  /** At most two rows a day and currency, ascending; none where nothing was counted. */
  siteEarnings(question: EarningsQuestion): Promise<DayEarnings[]>;
  /** The same by hour where the source has hours: at most 50 rows a day and currency. */
  siteHours(question: EarningsQuestion): Promise<HourEarnings[]>;
  /** The sources and UTC days of the site's rows, of the question's days and of those from `since` on. */
  siteSources(question: EarningsQuestion, since: string): Promise<[source: string, day: string][]>;
  /** Rates of the days, and of each currency (`all`: that has any) the last one before them. Ascending by day. */
  rates(currencies: readonly string[] | 'all', firstDay: string, lastDay: string): Promise<Rate[]>;
}

export function createEarnings({ client }: ClickHouse): Earnings {
  async function rows<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
  }

  async function earningsBy<Row extends DayEarnings>(
    keys: readonly string[],
    { names, parents, firstDay, lastDay, ledger }: EarningsQuestion,
  ): Promise<Row[]> {
    const visible = visibleRows(ledger);
    const by = [...keys.map((key) => key.slice(key.lastIndexOf(' ') + 1)), 'currency', 'earned'].join(', ');
    const found = await rows<Omit<Row, 'impressions'> & { readonly impressions: string }>(
      `SELECT ${keys.join(', ')}, currency, ad_stats.earnings != 0 AS earned,
         toString(sum(impressions)) AS impressions, toString(sum(ad_stats.earnings)) AS earnings
       FROM ad_stats
       WHERE toDate(at) BETWEEN {first:Date} AND {last:Date} AND ${ofSite} AND ${visible.text}
       GROUP BY ${by} ORDER BY ${by}`,
      { ...visible.params, first: firstDay, last: lastDay, names, parents },
    );
    return found.map(
      (row) => ({ ...row, earned: Boolean(row.earned), impressions: BigInt(row.impressions) }) as Row,
    );
  }

  return {
    siteEarnings: (question) => earningsBy<DayEarnings>([DATE], question),
    siteHours: (question) => earningsBy<HourEarnings>([DATE, HOUR], question),
    siteSources: async ({ names, parents, firstDay, lastDay, ledger }, since) => {
      const visible = visibleRows(ledger);
      const found = await rows<{ source: string; day: string }>(
        `SELECT DISTINCT toString(ad_stats.source) AS source, toString(toDate(at)) AS day FROM ad_stats
         WHERE (toDate(at) BETWEEN {first:Date} AND {last:Date} OR toDate(at) >= {since:Date})
           AND ${ofSite} AND ${visible.text}`,
        { ...visible.params, first: firstDay, last: lastDay, since, names, parents },
      );
      return found.map(({ source, day }) => [source, day]);
    },
    rates: async (currencies, firstDay, lastDay) =>
      currencies.length === 0
        ? []
        : rows<Rate>(ratesStatement(currencies === 'all' ? '1' : 'currency IN {currencies:Array(String)}'), {
            ...(currencies === 'all' ? {} : { currencies }),
            first: firstDay,
            last: lastDay,
          }),
  };
}

const DATE = 'toString(toDate(at)) AS date';
/** A row without the flag may be a day where it begins at midnight: it counts as one. */
const HOUR = `if(grain = 'hour' OR (grain = 'unknown' AND at != toStartOfDay(at)), toHour(at), NULL) AS hour`;

/** The domains apart, so that the primary key is used. A subdomain is written whole or without its domain. */
const ofSite = `domain IN arrayConcat({names:Array(String)}, {parents:Array(String)})
  AND (domain IN {names:Array(String)} OR subdomain IN {names:Array(String)}
    OR concat(subdomain, '.', domain) IN {names:Array(String)})`;

const ratesStatement = (ofCurrencies: string): string => `
  SELECT currency, toString(day) AS day, toString(rate.1) AS perEur, rate.2 AS source FROM (
    SELECT currency, fx_rates.day AS day, argMax((per_eur, source), version) AS rate FROM fx_rates
    WHERE ${ofCurrencies} AND fx_rates.day BETWEEN {first:Date} AND {last:Date}
    GROUP BY currency, fx_rates.day
    UNION ALL
    SELECT currency, max(fx_rates.day) AS day, argMax((per_eur, source), (fx_rates.day, version)) AS rate
    FROM fx_rates WHERE ${ofCurrencies} AND fx_rates.day < {first:Date} GROUP BY currency
  ) ORDER BY currency, day`;
