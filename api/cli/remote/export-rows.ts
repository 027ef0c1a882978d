import { shownJson } from '../../../engine/contract/shown.ts';
import type { Answer, BroadsideClient } from '../../http-client/client.ts';
import type { paths } from '../../http-client/schema.d.ts';
import { bodyOf } from './answer.ts';
import { csvLine } from './csv.ts';

const path = '/api/v1/client/apps/{identifier}/subscriptions';
export type Subscription = Answer<typeof path, 'get'>['data'][number];
export type SubscriptionFilters = NonNullable<paths[typeof path]['get']['parameters']['query']>;
export type ExportFormat = 'ndjson' | 'csv';

const PER_PAGE = 100;
/** A billion subscriptions: an end where `next` would never be null. */
const MAX_PAGES = 10_000_000;

/** Oldest first: pages already read do not move while browsers subscribe. */
export async function* readSubscriptions(
  client: BroadsideClient,
  app: string,
  filters: SubscriptionFilters,
  onProgress: (done: number, total: number) => void,
): AsyncGenerator<Subscription> {
  let done = 0;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { ...filters, sort: 'created_at', direction: 'asc', page, per_page: PER_PAGE } as const;
    const params = { path: { identifier: app }, query };
    const { data, links, meta } = await bodyOf(
      client.GET(path, { params, headers: { 'x-broadside-purpose': 'export' } }),
    );
    yield* data;
    done += data.length;
    onProgress(done, meta.total);
    if (links.next === null) return;
  }
}

/** JSON lines, which are exact, or CSV with a line of names first. Each ends with a line feed. */
export async function* linesOf(
  rows: AsyncIterable<Subscription>,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${csvColumns.join(',')}\n`;
  for await (const row of rows) {
    yield format === 'csv' ? csvLine(csvColumns.map((column) => row[column])) : `${shownJson(row)}\n`;
  }
}

const csvColumns = [
  'id',
  'user_identity',
  'status',
  'device_type',
  'browser_name',
  'browser_version',
  'os_name',
  'os_version',
  'country',
  'notifications_sent',
  'notifications_clicked',
  'click_rate',
  'tags',
  'created_at',
  'last_seen_at',
  'last_clicked_at',
  'unsubscribed_at',
  'time_zone',
  'language',
] as const satisfies readonly (keyof Subscription)[];
