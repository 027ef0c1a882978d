// tier: unit
import type { lookup as systemLookup } from 'node:dns';
import { afterAll, describe, expect, it } from 'vitest';
import { createPublicAddresses } from '../../engine/network/public-addresses.ts';
import { createFetchImage } from '../../engine/notification/images/fetch-image.ts';
import { makePng, startImageServer } from '../support/images.ts';
import { insideHosts, noUrls } from './tricks.ts';

/** The URL of an image, which a publisher chose: one answer for everything that leads inside. */
const server = await startImageServer((_, response) => response.end(makePng()));
afterAll(() => server.close());
const { port } = new URL(server.url);
const unreachable = { kind: 'refused', words: expect.stringContaining('fetched from the public internet') };
const guarded = createFetchImage(createPublicAddresses());

const resolverOf = (addresses: readonly string[]) =>
  ((_: string, __: object, done: (error: null, all: object[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof systemLookup;

describe('the URL of an image', () => {
  it.each(insideHosts)('is not fetched with %s: %s', async (_, host) => {
    expect(await guarded(`http://${host}:${port}/`)).toEqual(unreachable);
    expect(await guarded(`https://${host}:${port}/`)).toEqual(unreachable);
    expect(server.asked).toEqual([]);
  });

  it.each(noUrls)('is not fetched with %s', async (_, text) => {
    expect(await guarded(text('http'))).toEqual(unreachable);
  });

  it.each([
    `http://user:secret@127.0.0.1:${port}/`,
    `http://user@news.example:${port}/`,
    `http://news.example@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}#@news.example/`,
    `http://127.0.0.1:${port}\\@news.example/`,
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'gopher://127.0.0.1/',
  ])('is not fetched as %s', async (url) => {
    expect(await guarded(url)).toEqual(unreachable);
    expect(server.asked).toEqual([]);
  });

  it.each([
    ['inside', ['127.0.0.1']],
    ['inside among public ones', ['203.0.114.1', '127.0.0.1']],
    ['to a mapped address', ['::ffff:127.0.0.1']],
    ['nowhere', []],
  ])('is not fetched where its name leads %s', async (_, addresses) => {
    const fetchImage = createFetchImage(createPublicAddresses(resolverOf(addresses)));
    expect(await fetchImage(`http://rebinding.example:${port}/`)).toEqual(unreachable);
    expect(server.asked).toEqual([]);
  });

  it('is fetched from the address that was checked: there is no second look', async () => {
    const asked: string[] = [];
    const once = createFetchImage({
      allows: () => true,
      lookup: (host, options, done) => {
        asked.push(host);
        const address = asked.length === 1 ? '127.0.0.1' : '192.0.2.1';
        if (options.all === true) done(null, [{ address, family: 4 }]);
        else done(null, address, 4);
      },
    });
    expect(await once(`http://rebinding.example:${port}/a`)).toMatchObject({ kind: 'image' });
    expect([asked, server.asked]).toEqual([['rebinding.example'], ['/a']]);
  });
});
