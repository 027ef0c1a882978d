import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { buildApp } from '../../test/support/builders.ts';
import { startDatabases } from '../stand/databases.ts';
import { createHttp } from '../stand/http.ts';
import { type ListsBenchOptions, makeRows, newToken, spread } from './lists.ts';
import { startApiProcess } from './subscribe.ts';

export interface AnalyticsRow {
  readonly path: string;
  readonly min_ms: number;
  readonly median_ms: number;
  readonly max_ms: number;
}

const paths = [
  'analytics/overview',
  'analytics/subscribers?days=90',
  'analytics/deliveries?days=90',
  'analytics/engagement?days=90',
  'analytics/revenue?days=90&currency=USD',
  // A page with the clicks of each of them.
  'subscriptions?per_page=100',
];
const CLICKS_A_SUBSCRIBER = 5;
const AD_ROWS = 2_000_000;

/** As `benchLists`; every answer is computed, because the cache is cleared before each request. */
export async function benchAnalytics(options: ListsBenchOptions): Promise<AnalyticsRow[]> {
  await using opened = new AsyncDisposableStack();
  options.onStep('starting Postgres and ClickHouse');
  const { database, environment } = await startDatabases(opened);
  const app = await buildApp(database);
  await makeRows(database, app, options);
  options.onStep('making clicks and ad statistics');
  await makeStatistics(environment.CLICKHOUSE_URL, app.id, options);
  await grantSite(database, app.organizationId);
  const api = await startApiProcess({ ...environment, CLIENT_RATE_PER_MINUTE: '10000' });
  opened.defer(() => api.process_.stop().then(() => {}));
  const token = await newToken(database, app, ['analytics:read', 'subscriptions:read']);
  const client = createHttp(`${api.url}/api/v1/client`, token);
  const rows: AnalyticsRow[] = [];
  for (const path of paths) {
    options.onStep(path);
    const times: number[] = [];
    for (let round = 0; round <= options.rounds; round++) {
      await database.query('DELETE FROM analytics_cache');
      const startedAt = performance.now();
      await client.get(`/apps/${app.identifier}/${path}`);
      if (round > 0) times.push(performance.now() - startedAt);
    }
    rows.push({ path, ...spread(times) });
  }
  return rows;
}

async function grantSite(database: Database, organizationId: number): Promise<void> {
  await database.query(`INSERT INTO revenue_domains (organization_id, domain) VALUES ($1, 'news.example')`, [
    organizationId,
  ]);
}

/** Clicks of the newest deliveries within two days of each; three months of ad statistics of 1,000 sites. */
async function makeStatistics(url: string, appId: number, { subscribers, deliveries }: ListsBenchOptions) {
  const server = { username: 'default', password: '', requestTimeoutMs: 600_000, maxConnections: 1 };
  const clickhouse = await openClickHouse({ kind: 'http', url, ...server, database: 'broadside' });
  await migrateClickHouse(clickhouse);
  const clicked = Math.max(1, Math.floor(deliveries / 20));
  await clickhouse.client.command({
    query: `INSERT INTO events (app_id, delivery_id, subscriber, type, action, event_id, at) SETTINGS async_insert = 0
      SELECT ${appId}, ${deliveries - clicked} + 1 + cityHash64(number) % ${clicked} AS delivery, cityHash64(number, 1) % ${subscribers},
        'clicked', '', toString(number),
        now64(3) - toIntervalSecond(intDiv((${deliveries} - delivery) * 7603200, ${clicked}) + cityHash64(number, 2) % 172800)
      FROM numbers(${subscribers * CLICKS_A_SUBSCRIBER})`,
  });
  await clickhouse.client.command({
    query: `INSERT INTO ad_stats (at, load, source, domain, subdomain, device, country, impressions, earnings, currency) SETTINGS async_insert = 0
      SELECT toStartOfHour(now() - toIntervalHour(cityHash64(number) % 2160)), 0, 'bench',
        if(number % 1000 = 0, 'news.example', concat('site-', toString(number % 1000), '.example')), '',
        ['desktop', 'mobile', 'tablet'][1 + number % 3], ['DE', 'PL', 'US'][1 + number % 7 % 3], number % 5000,
        toDecimal64(number % 9999, 8) / 1000, ['EUR', 'USD'][1 + number % 2]
      FROM numbers(${AD_ROWS})`,
  });
  await clickhouse.client.command({
    query: `INSERT INTO fx_rates (day, currency, per_eur, source, version) SETTINGS async_insert = 0
      SELECT today() - number, 'USD', toDecimal128(1.1, 18), 'bench', 1 FROM numbers(120)`,
  });
  await clickhouse.close();
}
