import { tenths } from '../median.ts';
import type { Http } from '../stand/http.ts';

/** A read of the API beside the audience's size. */
export interface Read {
  readonly name: string;
  /** The slowest of its requests; the first one is among them, for what is remembered answers at once. */
  readonly ms: number;
  readonly limit_ms: number;
  /** Other than an answer of 2xx; null: none was. */
  readonly refused: string | null;
}

/** Of a list at any size, as `bench -- api` has it; of a count and of analytics, after which the API gives up. */
const LIST_MS = 300;
const COUNT_MS = 5_000;
const ANALYTICS_MS = 10_000;

/** Fields that the lists filter by: without tags, as rows of `flow` are. */
export const describeByIndex = (index: number): Readonly<Record<string, unknown>> => ({
  country: ['DE', 'DE', 'US', 'FR', 'HU'][index % 5],
  device_type: index % 3 === 0 ? 'desktop' : 'mobile',
});

const lists = [
  'sort=created_at&direction=desc',
  'sort=last_seen_at&direction=asc',
  'sort=notifications_sent&direction=desc',
  'country=HU',
  'device_type=mobile',
  'search=reader-99',
  'search=zq',
];
const rules = (field: string, value: string) => ({
  rules: { match: 'all', conditions: [{ field, operator: 'in', values: [value] }] },
});
const counts: readonly (readonly [name: string, body: object])[] = [
  ['everybody', {}],
  ['country = HU', rules('country', 'HU')],
  ['device_type = mobile', rules('device_type', 'mobile')],
];
const analytics = ['overview', 'subscribers?days=90', 'deliveries?days=90', 'engagement?days=90'];

/** The first and the last page of lists, counts of segments, and analytics with nothing remembered. */
export async function measureReads(client: Http, app: string): Promise<Read[]> {
  const reads: Read[] = [];
  for (const list of lists) {
    const page = (number: number): Promise<ListAnswer> =>
      client.get<ListAnswer>(`/apps/${app}/subscriptions?${list}&per_page=100&page=${number}`);
    let last = 1;
    reads.push(
      await measured(`list: ${list}`, LIST_MS, async () => {
        last = (await page(1)).meta.last_page;
      }),
      await measured(`list: ${list}, last page`, LIST_MS, () => page(last)),
    );
  }
  for (const [name, body] of counts)
    reads.push(
      await measured(`segment: ${name}`, COUNT_MS, () => client.post(`/apps/${app}/segments/preview`, body)),
    );
  for (const path of analytics)
    reads.push(
      await measured(
        `analytics: ${path}`,
        ANALYTICS_MS,
        () => client.get(`/apps/${app}/analytics/${path}`),
        1,
      ),
    );
  return reads;
}

interface ListAnswer {
  readonly meta: { readonly last_page: number };
}

const TIMES = 3;

async function measured(
  name: string,
  limit: number,
  ask: () => Promise<unknown>,
  times = TIMES,
): Promise<Read> {
  let ms = 0;
  let refused: string | null = null;
  for (let time = 0; time < times && refused === null; time++) {
    const startedAt = performance.now();
    await ask().catch((error: Error) => {
      refused = error.message;
    });
    ms = Math.max(ms, performance.now() - startedAt);
  }
  return { name, ms: tenths(ms), limit_ms: limit, refused };
}
