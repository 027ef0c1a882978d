// tier: unit
import type { LookupFunction } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createPublicAddresses } from '../../../engine/network/public-addresses.ts';
import { createFetchFeed, MAX_FEED_BYTES } from '../../../engine/notification/feeds/fetch-feed.ts';
import { type ImageServer, loopbackAllowed, startImageServer } from '../../support/images.ts';

const fetchFeed = createFetchFeed({ addresses: loopbackAllowed });
const impatient = createFetchFeed({ addresses: loopbackAllowed, deadlineMs: 300 });
const fresh = { etag: null, lastModified: null };
const fastBrotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const failed = (words: string) => ({ kind: 'failed', words });

describe('a feed that a stranger names', () => {
  let server: ImageServer | undefined;
  const serve = async (answer: Parameters<typeof startImageServer>[0]): Promise<string> => {
    server = await startImageServer(answer);
    return `${server.url}/feed`;
  };
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it('is read with its validators, and named by where its redirects ended', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/feed') return void response.writeHead(301, { location: '/new?a=b' }).end();
      response.setHeader('content-type', 'application/rss+xml; charset=utf-8');
      response.setHeader('etag', 'W/"7"');
      response.setHeader('last-modified', 'Mon, 23 Nov 2026 06:00:00 GMT');
      response.end('<rss/>');
    });
    expect(await fetchFeed({ url, ...fresh })).toEqual({
      kind: 'read',
      bytes: Buffer.from('<rss/>'),
      contentType: 'application/rss+xml; charset=utf-8',
      etag: 'W/"7"',
      lastModified: 'Mon, 23 Nov 2026 06:00:00 GMT',
      url: `${server?.url}/new?a=b`,
    });
  });

  it('is unchanged if its server says so of the validators that it gave out', async () => {
    const url = await serve(({ headers }, response) => {
      const same = headers['if-none-match'] === '"7"' || headers['if-modified-since'] === 'then';
      response.writeHead(same ? 304 : 200).end();
    });
    expect(await fetchFeed({ url, etag: '"7"', lastModified: null })).toEqual({ kind: 'unchanged' });
    expect(await fetchFeed({ url, etag: null, lastModified: 'then' })).toEqual({ kind: 'unchanged' });
    expect(await fetchFeed({ url, etag: '"6"', lastModified: null })).toMatchObject({ kind: 'read' });
  });

  it('is not unchanged for a server that answers 304 to a request without validators', async () => {
    const url = await serve((_, response) => response.writeHead(304).end());
    expect(await fetchFeed({ url, ...fresh })).toEqual(failed('answered 304'));
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['identity', Buffer.from],
  ])('is decoded from %s', async (encoding, encode: (text: Buffer) => Buffer) => {
    const url = await serve((_, response) =>
      response.setHeader('content-encoding', encoding).end(encode(Buffer.from('<rss/>'))),
    );
    expect(await fetchFeed({ url, ...fresh })).toMatchObject({ kind: 'read', bytes: Buffer.from('<rss/>') });
  });

  it.each([
    ['is another one', 'zstd', Buffer.from('x'), 'has a content-encoding that is not supported'],
    ['is false', 'gzip', Buffer.from('<rss/>'), 'is not compressed as its content-encoding says'],
    ['is false', 'br', Buffer.from('<rss version=2/>'), 'is not compressed as its content-encoding says'],
    [
      'ends early',
      'gzip',
      gzipSync('<rss/>').subarray(0, 12),
      'is not compressed as its content-encoding says',
    ],
  ])('fails in words if its encoding %s (%s)', async (_, encoding, body, words) => {
    const url = await serve((_request, response) =>
      response.setHeader('content-encoding', encoding).end(body),
    );
    expect(await fetchFeed({ url, ...fresh })).toEqual(failed(words));
  });

  it('is read up to its limit of bytes', async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(MAX_FEED_BYTES, 0x20)));
    const read = await fetchFeed({ url, ...fresh });
    expect(read.kind === 'read' && read.bytes.length).toBe(MAX_FEED_BYTES);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', fastBrotli],
  ])('is given up at 5 MB of what a %s bomb becomes', async (encoding, encode: (text: Buffer) => Buffer) => {
    const bomb = encode(Buffer.alloc(60_000_000));
    expect(bomb.length).toBeLessThan(MAX_FEED_BYTES / 10);
    const url = await serve((_, response) => response.setHeader('content-encoding', encoding).end(bomb));
    expect(await fetchFeed({ url, ...fresh })).toEqual(failed('is larger than 5 MB'));
  });

  it('is given up at 5 MB of a body that never ends', async () => {
    let written = 0;
    const url = await serve((_, response) => {
      response.on('error', () => {});
      const pour = (): void => {
        while (!response.destroyed && written < 500_000_000) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', pour);
        }
      };
      pour();
    });
    expect(await fetchFeed({ url, ...fresh })).toEqual(failed('is larger than 5 MB'));
    expect(written).toBeLessThan(100_000_000);
  });

  it.each([
    ['its headers', false],
    ['its body', true],
  ])('has a deadline for a server that drips %s', async (_, headers) => {
    const drips = new Set<NodeJS.Timeout>();
    const url = await serve((_request, response) => {
      response.on('error', () => {});
      if (headers) drips.add(setInterval(() => response.write(' '), 20));
    });
    expect(await impatient({ url, ...fresh })).toEqual(failed('took longer than 0.3 s'));
    for (const drip of drips) clearInterval(drip);
  });

  it('has one deadline for all its redirects', async () => {
    const url = await serve((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/feed' }).end(), 130);
    });
    expect(await impatient({ url, ...fresh })).toEqual(failed('took longer than 0.3 s'));
  });

  it.each(['identity', 'gzip'])('fails if it breaks off (%s)', async (encoding) => {
    const url = await serve((_, response) => {
      response.setHeader('content-encoding', encoding);
      response.setHeader('content-length', 100);
      response.write(gzipSync('<rss>').subarray(0, 12), () => response.destroy());
    });
    expect(await fetchFeed({ url, ...fresh })).toEqual(failed('broke off before its end'));
  });

  it.each([404, 410, 500, 206])('fails with the status %i', async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end('<rss/>'));
    expect(await fetchFeed({ url, ...fresh })).toEqual(failed(`answered ${status}`));
  });

  it('is followed five times, and not six', async () => {
    let hops = 5;
    const url = await serve((_, response) =>
      hops-- > 0 ? response.writeHead(307, { location: 'feed' }).end() : response.end('<rss/>'),
    );
    expect(await fetchFeed({ url, ...fresh })).toMatchObject({ kind: 'read' });
    hops = 6;
    expect(await fetchFeed({ url, ...fresh })).toEqual(failed('redirects more than 5 times'));
  });

  it.each(['http://127.0.0.1:1/', 'http://[::1]/', 'http://169.254.169.254/x', 'file:///etc/passwd', 'feed'])(
    'is not asked for at %s',
    async (url) => {
      const guarded = createFetchFeed({ addresses: createPublicAddresses() });
      expect(await guarded({ url, ...fresh })).toEqual(failed('is not a public address'));
    },
  );

  it('is not followed inside, whatever it redirects to', async () => {
    // The first hop is let through as a name; behind it, the real guard judges.
    const real = createPublicAddresses();
    const toServer: LookupFunction = (_, options, callback) =>
      options.all === true
        ? callback(null, [{ address: '127.0.0.1', family: 4 }])
        : callback(null, '127.0.0.1', 4);
    const addresses = { allows: real.allows, lookup: toServer };
    const url = await serve((request, response) => {
      const location = decodeURIComponent((request.url ?? '').slice('/feed?'.length));
      response.writeHead(302, { location }).end('<rss/>');
    });
    const named = url.replace('127.0.0.1', 'news.example');
    for (const target of [
      server?.url ?? '',
      'http://10.0.0.1/',
      'http://0x7f.1/',
      'ftp://a.example/',
      'http://',
    ])
      expect(
        await createFetchFeed({ addresses })({ url: `${named}?${encodeURIComponent(target)}`, ...fresh }),
      ).toEqual(failed('is not a public address'));
    expect(server?.asked).toHaveLength(5);
  });

  it('says the same of a name that leads inside, of an unknown name, and of a closed port', async () => {
    const resolve = ((_host: string, _options: object, callback: (...all: unknown[]) => void) =>
      callback(null, [{ address: '10.0.0.7', family: 4 }])) as never;
    const inside = createFetchFeed({ addresses: createPublicAddresses(resolve) });
    const unreachable = failed('could not be reached on the public internet');
    expect(await inside({ url: 'http://inside.example/', ...fresh })).toEqual(unreachable);
    expect(await fetchFeed({ url: 'http://no-such-name.invalid/', ...fresh })).toEqual(unreachable);
    expect(await fetchFeed({ url: 'http://127.0.0.1:1/', ...fresh })).toEqual(unreachable);
  });

  it('is asked without validators that no header can carry', async () => {
    const url = await serve((_, response) => response.setHeader('etag', `"${'x'.repeat(5_000)}"`).end());
    expect(await fetchFeed({ url, ...fresh })).toMatchObject({ kind: 'read', etag: null });
  });
});
