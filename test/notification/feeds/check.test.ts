// tier: unit
import { afterEach, describe, expect, it } from 'vitest';
import { chooseItems } from '../../../engine/notification/feeds/choose-items.ts';
import { createFetchFeed } from '../../../engine/notification/feeds/fetch-feed.ts';
import { defaultMapping, mapItem } from '../../../engine/notification/feeds/map-item.ts';
import { createReadFeed } from '../../../engine/notification/feeds/read-feed.ts';
import { type ImageServer, loopbackAllowed, startImageServer } from '../../support/images.ts';

const fetchFeed = createFetchFeed({ addresses: loopbackAllowed });
const readFeed = createReadFeed();
const now = new Date('2026-11-23T12:00:00Z');
const filter = { categories: null, words: null, without: null };

const rssOf = (articles: readonly string[], date: string): string =>
  `<rss version="2.0"><channel><title>News</title>${articles
    .map((name) => `<item><title>${name}</title><link>/${name}</link><pubDate>${date}</pubDate></item>`)
    .join('')}</channel></rss>`;

describe('a feed that is checked again and again', () => {
  let server: ImageServer | undefined;
  let body = '';
  let seen: Set<string> | undefined;
  let etag: string | null = null;
  const check = async (): Promise<string | string[]> => {
    const fetched = await fetchFeed({ url: `${server?.url}/feed`, etag, lastModified: null });
    if (fetched.kind === 'unchanged') return 'unchanged';
    if (fetched.kind === 'failed') return fetched.words;
    const parsed = await readFeed({ ...fetched, filter });
    if (parsed.kind === 'fault') return parsed.words;
    const isFirstCheck = seen === undefined;
    seen ??= new Set();
    const { items } = parsed;
    const limits = { perHour: 3, sentLastHour: 0, overflow: 'drop', maxAgeHours: 24 } as const;
    const { send, seenNow } = chooseItems({ items, seen, isFirstCheck, ...limits, now });
    for (const key of seenNow) seen.add(key);
    etag = fetched.etag;
    return send.map(({ item }) => {
      const mapped = mapItem(item, defaultMapping);
      return mapped.kind === 'mapped' ? mapped.url.replace(server?.url ?? '', '') : mapped.words;
    });
  };
  afterEach(() => server?.close());

  it('sends its new items once, says how it broke, and does no harm when it comes back', async () => {
    server = await startImageServer((request, response) => {
      if (body === '') return void response.writeHead(503).end();
      const tag = `"${body.length}"`;
      if (request.headers['if-none-match'] === tag) return void response.writeHead(304).end();
      response.setHeader('etag', tag).end(body);
    });
    const today = 'Mon, 23 Nov 2026 11:00:00 GMT';
    body = rssOf(['b', 'a'], today);
    expect(await check()).toEqual([]);
    expect(await check()).toBe('unchanged');
    body = rssOf(['c', 'b', 'a'], today);
    expect(await check()).toEqual(['/c']);
    body = '';
    expect(await check()).toBe('answered 503');
    body = '<html>Back soon</html>';
    expect(await check()).toBe('is a web page and no feed');
    const archive = Array.from({ length: 500 }, (_, n) => `old-${n}`);
    body = rssOf(archive, 'Sat, 21 Nov 2026 11:00:00 GMT');
    expect(await check()).toEqual([]);
    body = rssOf(['d', 'c', ...archive], today);
    expect(await check()).toEqual(['/d']);
  });
});
