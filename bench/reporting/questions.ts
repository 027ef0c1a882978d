/** A report, and the same query to ClickHouse by someone who knows the tables. */
export interface Question {
  readonly name: string;
  readonly request: object;
  readonly sql: string;
}

/** Euros for one unit: every day of the bench has a rate. */
const rates = `SELECT day AS rate_day, currency AS rate_currency, toDecimal128(divideDecimal(toDecimal128(1, 18), argMax(per_eur, version), 18), 18) AS rate
  FROM fx_rates GROUP BY day, currency`;

interface Selection {
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
  readonly where: string;
  readonly having?: string;
  readonly tail?: string;
}

const countMetrics = ['impressions', 'viewable', 'first_quartile', 'midpoint', 'third_quartile', 'complete'];

/** Sums per currency and day first, so that the rate is multiplied a few times and not on every row. */
export function handWritten({ dimensions, metrics, where, having, tail = '' }: Selection): string {
  const names: Readonly<Record<string, string>> = {
    day: 'toDate(at)',
    month: "formatDateTime(at, '%Y-%m')",
  };
  const keys = dimensions.map((name) => `${names[name] ?? name} AS k_${name}`);
  const wantsMoney = metrics.some((name) => name === 'earnings' || name === 'ecpm');
  const counted = countMetrics.filter(
    (name) => metrics.includes(name) || (name === 'impressions' && metrics.includes('ecpm')),
  );
  const outer = metrics.map((name) => {
    if (name === 'earnings') return 'round(sum(amount), 6) AS earnings';
    if (name === 'ecpm')
      return 'if(sum(s_impressions) = 0, 0, round(1000 * sum(amount) / sum(s_impressions), 6)) AS ecpm';
    return `sum(s_${name}) AS ${name}`;
  });
  const groupKeys = dimensions.map((name) => `k_${name}`);
  const money = wantsMoney ? ', currency, toDate(at) AS rate_at, sum(earnings) AS earned' : '';
  const inner = `SELECT ${[...keys, ...counted.map((name) => `sum(${name}) AS s_${name}`)].join(', ')}${money}
    FROM ad_stats WHERE ${where} GROUP BY ${[...groupKeys, ...(wantsMoney ? ['currency', 'rate_at'] : [])].join(', ')}`;
  const priced = wantsMoney
    ? `SELECT *, if(currency = 'EUR', toDecimal256(earned, 26), multiplyDecimal(toDecimal256(earned, 8), toDecimal256(rate, 18), 26)) AS amount
       FROM (${inner}) AS sums LEFT JOIN (${rates}) AS rates ON rate_day = rate_at AND rate_currency = currency`
    : inner;
  return `SELECT ${[...dimensions.map((name) => `k_${name} AS ${name}`), ...outer].join(', ')} FROM (${priced})
    GROUP BY ${groupKeys.join(', ')} ${having === undefined ? '' : `HAVING ${having}`} ${tail}`;
}

type Days = readonly [first: string, last: string];

/** From light to heavy. @param dayBack the day this many days before the last one of the statistics, `YYYY-MM-DD` */
export function questions(dayBack: (days: number) => string): readonly Question[] {
  const day: Days = [dayBack(0), dayBack(0)];
  const week: Days = [dayBack(6), dayBack(0)];
  const month: Days = [dayBack(29), dayBack(0)];
  const quarter: Days = [dayBack(89), dayBack(0)];
  const all = [...countMetrics, 'earnings', 'ecpm'];
  const money = ['impressions', 'earnings', 'ecpm'];
  const sites = Array.from({ length: 20 }, (_, index) => `site-${index + 1}.example`);
  const quoted = sites.map((site) => `'${site}'`).join(', ');
  const dimension = (value: string, comparator: string, selectedValues: readonly string[]) => ({
    ...{ value, type: 'dimension', comparator, selectedValues },
  });
  const group = (...filters: readonly object[]) => ({ operator: 'or', filters });

  return [
    ask('a day, one row', day, ['day'], money),
    ask('a day by domain, all metrics', day, ['domain'], all),
    ask('a week by day and device', week, ['day', 'device'], money),
    ask('a month by country', month, ['country'], money),
    ask('a month by product and media type, all metrics', month, ['product', 'media_type'], all),
    ask('a month by day of 20 domains', month, ['day', 'domain'], money, {
      groups: [group(dimension('domain', 'in', sites))],
      where: `domain IN (${quoted})`,
    }),
    ask('a month by subdomain, those that contain "news"', month, ['subdomain'], ['impressions'], {
      groups: [group(dimension('subdomain', 'contains', ['news']))],
      where: `position(subdomain, 'news') > 0`,
    }),
    ask('three months by month and kind of deal', quarter, ['month', 'deal_type'], money),
    ask('three months by day and domain', quarter, ['day', 'domain'], money),
    ask('three months by domain, video or 20 domains', quarter, ['domain'], money, {
      groups: [group(dimension('media_type', 'in', ['video'])), group(dimension('domain', 'in', sites))],
      where: `(media_type = 'video' OR domain IN (${quoted}))`,
    }),
    ask(
      'three months by domain and country with a million impressions',
      quarter,
      ['domain', 'country'],
      money,
      {
        groups: [
          group({ value: 'impressions', type: 'metric', comparison: 'gte', selectedValue: 1_000_000 }),
        ],
        having: 'impressions >= 1000000',
      },
    ),
    ask('three months by day, domain and device, the best 1,000', quarter, ['day', 'domain', 'device'], all, {
      more: { sort: [{ by: 'earnings', direction: 'desc' }], limit: 1_000 },
      tail: 'ORDER BY earnings DESC, day, domain, device LIMIT 1000',
    }),
  ];
}

interface Narrowing {
  readonly groups?: readonly object[];
  readonly where?: string;
  readonly having?: string;
  readonly more?: object;
  readonly tail?: string;
}

function ask(
  name: string,
  [first, last]: Days,
  dimensions: readonly string[],
  metrics: readonly string[],
  { groups = [], where = '1', having, more = {}, tail }: Narrowing = {},
): Question {
  const days = `toDate(at) BETWEEN '${first}' AND '${last}'`;
  return {
    name,
    request: {
      dimensions,
      metrics,
      currency: 'EUR',
      selectedDate: [first, last],
      filter_groups: groups,
      ...more,
    },
    sql: handWritten({
      ...{ dimensions, metrics, where: `${days} AND ${where}` },
      ...(having === undefined ? {} : { having }),
      ...(tail === undefined ? {} : { tail }),
    }),
  };
}
