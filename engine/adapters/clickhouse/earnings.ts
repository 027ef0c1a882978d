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

/** The earnings of one day in one currency. */
export interface DayEarnings {
  readonly date: string;
  readonly currency: string;
  readonly impressions: bigint;
  /** An exact decimal of at most 8 places. */
  readonly earnings: string;
}

/** Units of the currency for one euro, from that day on until the next. */
export interface Rate {
  readonly currency: string;
  readonly day: string;
  /** An exact decimal of at most 18 places. */
  readonly perEur: string;
  readonly source: string;
}

export interface Earnings {
  /** A row a day and currency, ascending; none where nothing was counted. */
  siteEarnings(question: EarningsQuestion): Promise<DayEarnings[]>;
  /** Rates of the days, and of each currency (`all`: that has any) the last one before them. Ascending by day. */
  rates(currencies: readonly string[] | 'all', firstDay: string, lastDay: string): Promise<Rate[]>;
}

export function createEarnings({ client }: ClickHouse): Earnings {
  async function rows<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
  }

  return {
    siteEarnings: async ({ names, parents, firstDay, lastDay, ledger }) => {
      const visible = visibleRows(ledger);
      const found = await rows<{ date: string; currency: string; impressions: string; earnings: string }>(
        `SELECT toString(toDate(at)) AS date, currency, toString(sum(impressions)) AS impressions,
           toString(sum(ad_stats.earnings)) AS earnings
         FROM ad_stats
         WHERE toDate(at) BETWEEN {first:Date} AND {last:Date} AND ${ofSite} AND ${visible.text}
         GROUP BY date, currency ORDER BY date, currency`,
        { ...visible.params, first: firstDay, last: lastDay, names, parents },
      );
      return found.map((row) => ({ ...row, impressions: BigInt(row.impressions) }));
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
