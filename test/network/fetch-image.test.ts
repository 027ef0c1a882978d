// tier: unit
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createPublicAddresses } from '../../engine/network/public-addresses.ts';
import { MAX_IMAGE_BYTES } from '../../engine/notification/images/check-image.ts';
import { createFetchImage } from '../../engine/notification/images/fetch-image.ts';
import { type ImageServer, loopbackAllowed, makePng, startImageServer } from '../support/images.ts';

const fetchImage = createFetchImage(loopbackAllowed);
const unreachable = { kind: 'refused', words: expect.stringContaining('fetched from the public internet') };
const fetched = { kind: 'image', image: { contentType: 'image/png' } };

describe('an image that a stranger names', () => {
  let server: ImageServer;
  const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    server = await startImageServer(answer);
  };
  afterEach(() => server?.close());

  it('is fetched, at its limit of bytes too', async () => {
    await serve((_, response) => response.end(makePng({ bytes: MAX_IMAGE_BYTES })));
    expect(await fetchImage(`${server.url}/a`)).toMatchObject(fetched);
  });

  it.each([
    ['as its header says', (response: ServerResponse) => response.setHeader('content-length', 1e9)],
    ['for any header', () => {}],
  ])('is cut off at 2 MB, %s', async (_, prepare) => {
    let written = 0;
    await serve((_request, response) => {
      prepare(response);
      response.on('error', () => {});
      const pour = (): void => {
        while (!response.destroyed && written < 100_000_000) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536, 0xff))) return void response.once('drain', pour);
        }
      };
      pour();
    });
    expect(await fetchImage(server.url)).toEqual({
      kind: 'refused',
      words: expect.stringContaining('larger than 2 MB'),
    });
    // What the sockets between us hold, and no more.
    expect(written).toBeLessThan(20_000_000);
  });

  it('may redirect three times, to an address that is checked each time', async () => {
    await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end(makePng());
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect(await fetchImage(`${server.url}/3`)).toMatchObject(fetched);
    expect(await fetchImage(`${server.url}/4`)).toEqual({
      kind: 'refused',
      words: 'must not redirect more than 3 times',
    });
    expect(server.asked).toHaveLength(4 + 4);
  });

  it.each([
    'http://10.0.0.1/a.png',
    'http://[::1]/a.png',
    'http://user:secret@127.0.0.1/a.png',
    'file:///etc/passwd',
    'ftp://127.0.0.1/a.png',
    'http://',
  ])('does not follow a redirect to %s', async (location) => {
    await serve((_, response) => response.writeHead(301, { location }).end());
    expect(await fetchImage(server.url)).toEqual(unreachable);
    expect(server.asked).toHaveLength(1);
  });

  it('is refused with one and the same answer wherever inside it leads, open or closed', async () => {
    await serve((_, response) => response.end(makePng()));
    const { port } = new URL(server.url);
    const guarded = createFetchImage(createPublicAddresses());
    const inside = [
      ...[
        '127.0.0.1',
        '127.1',
        '2130706433',
        '0x7f.1',
        '[::1]',
        '[::ffff:127.0.0.1]',
        'localhost',
        'localhost.',
      ],
      ...['0.0.0.0', '169.254.169.254', '192.168.0.1'],
    ];
    for (const host of inside) {
      for (const each of [port, '1']) expect(await guarded(`http://${host}:${each}/`)).toEqual(unreachable);
    }
    expect(server.asked).toEqual([]);
    expect(await fetchImage('http://127.0.0.1:1/')).toEqual(unreachable);
    expect(await fetchImage('http://no-such-name.invalid/')).toEqual(unreachable);
  });

  it('is refused where a name leads inside at the second look', async () => {
    await serve((_, response) => response.end(makePng()));
    const looks: string[] = [];
    const rebinding = createPublicAddresses(((
      name: string,
      _: object,
      done: (...answer: unknown[]) => void,
    ) => {
      looks.push(name);
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    }) as never);
    const { port } = new URL(server.url);
    expect(await createFetchImage(rebinding)(`http://rebinding.example:${port}/`)).toEqual(unreachable);
    expect([looks, server.asked]).toEqual([['rebinding.example'], []]);
  });

  it('times out, at a server that is silent and at one that never ends', async () => {
    const silent = createTcpServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    await serve((_, response) => {
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(drip));
    });
    const both = [fetchImage(`http://127.0.0.1:${port}/`), fetchImage(server.url)];
    expect(await Promise.all(both)).toEqual([unreachable, unreachable]);
    silent.close();
  });

  it('is not taken from half an answer', async () => {
    await serve((_, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write(makePng());
      setTimeout(() => response.destroy(), 20);
    });
    expect(await fetchImage(server.url)).toEqual(unreachable);
  });

  it.each([204, 304, 404, 500])('is missing where the server answers %d', async (status) => {
    await serve((_, response) => response.writeHead(status).end());
    const words = `must lead to an image, not to an answer ${status}`;
    expect(await fetchImage(server.url)).toEqual({ kind: 'refused', words });
  });
});
