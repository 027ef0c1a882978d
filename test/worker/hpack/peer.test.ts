// tier: unit
import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { staticEntries } from '../../../engine/worker/hpack/static-table.ts';
import { connectRaw } from './raw-client.ts';
import type { Fields } from './support.ts';

/** A server on nghttp2: reports the headers it received, and answers with given ones. */
async function startServer(headerTableSize: number) {
  const seen: string[][] = [];
  let answer: Fields = [];
  let onStream: (stream: ServerHttp2Stream) => void = () => {};
  const server = createServer({ settings: { headerTableSize } });
  server.on('stream', (stream: ServerHttp2Stream, _headers, _flags, rawHeaders: string[]) => {
    seen.push([...rawHeaders]);
    onStream(stream);
    stream.on('error', () => {});
    stream.respond([...answer], { endStream: true });
  });
  server.on('sessionError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    answerWith(fields: Fields, before: (stream: ServerHttp2Stream) => void = () => {}): void {
      answer = fields;
      onStream = before;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startBoth(sizes: { server: number; client: number }) {
  const server = await startServer(sizes.server);
  closing.push(server.close);
  const client = await connectRaw(server.port, sizes.client);
  closing.push(client.close);
  return { server, client };
}

/** Reproducible, and of a kind that Huffman coding makes shorter or longer. */
function texts(seed: number) {
  const plain = 'abcdefghijklmnopqrstuvwxyz0123456789 /-_=:.ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const costly = '!"#$\'()*+<>?@[\\]^`{|}~\xe4\xf6\xff\x80';
  const maxLengths = [8, 8, 8, 40, 40, 200, 1_500];
  const value = fc
    .record({ letters: fc.constantFrom(plain, plain, costly), maxLength: fc.constantFrom(...maxLengths) })
    .chain(({ letters, maxLength }) =>
      fc.string({ unit: fc.constantFrom(...letters), maxLength, size: 'max' }),
    )
    // White space at the ends is not for a value, and nghttp2 refuses it.
    .map((text) => `<${text}>`);
  return fc.sample(value, { seed, numRuns: 400 });
}

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T;

const letterhead = (port: number, values: readonly string[], at: number): Fields => [
  ...[':method', 'POST', ':scheme', 'http', ':authority', `127.0.0.1:${port}`],
  ...['ttl', String(at % 3), 'urgency', pick(['high', 'low', 'normal'], at), 'topic', pick(values, at)],
  ...['authorization', pick(values, 7 * at), `x-own-${at % 5}`, pick(values, 3 * at), 'content-type', 'a/b'],
];

const response = (values: readonly string[], at: number): Fields => [
  ...[':status', pick(['201', '404', '200', '418', '503'], at), 'date', 'Mon, 21 Oct 2013 20:13:21 GMT'],
  ...['location', pick(values, at), 'x-first', pick(values, 5 * at), `x-${at % 7}`, pick(values, at >> 2)],
  ...['server', 'nghttp2', 'retry-after', String(at % 11), 'set-cookie', pick(values, at + 1)],
];

describe('nghttp2, over one connection,', () => {
  it.each([
    { server: 4_096, client: 4_096 },
    { server: 65_536, client: 65_536 },
    { server: 1_000, client: 512 },
    { server: 100, client: 100 },
    { server: 0, client: 0 },
  ])('reads our blocks, and we read its: $server and $client bytes', async (sizes) => {
    const { server, client } = await startBoth(sizes);
    const values = texts(sizes.server);
    const letterheads = Array.from({ length: 60 }, (_, i) => letterhead(server.port, values, i));
    for (let i = 0; i < 600; i++) {
      const [path, answer] = [`/${pick(values, 11 * i).replaceAll(/[^\w]/g, '')}`, response(values, i)];
      // Some letterheads at a time, then others.
      const sent = pick(letterheads, 2 * (i >> 5) + (i % 3));
      server.answerWith(answer);
      expect(await client.request(path, sent), `answer ${i}`).toEqual(answer);
      expect(server.seen.at(-1), `request ${i}`).toEqual([':path', path, ...sent]);
    }
  });

  it('follows us when it changes the size of the table between blocks', async () => {
    const { server, client } = await startBoth({ server: 4_096, client: 4_096 });
    const values = texts(1);
    const letterheads = Array.from({ length: 6 }, (_, i) => letterhead(server.port, values, i));
    const changes = [[0, 4_096], [100], [50, 600], [8_192, 4_096], [0], [65_536], [200, 100, 300]];
    for (let i = 0; i < 140; i++) {
      const answer = response(values, i);
      const sizes = i % 5 === 0 ? pick(changes, i / 5) : [];
      server.answerWith(answer, ({ session }) => {
        for (const headerTableSize of sizes) session?.settings({ headerTableSize });
      });
      const sent = pick(letterheads, i % 4);
      expect(await client.request(`/${i}`, sent), `answer ${i}`).toEqual(answer);
      expect(server.seen.at(-1), `request ${i}`).toEqual([':path', `/${i}`, ...sent]);
    }
    expect(client.tableSizes.length).toBeGreaterThan(40);
  });

  it('has the same static table', async () => {
    const { server, client } = await startBoth({ server: 4_096, client: 4_096 });
    const statuses = ['200', '204', '206', '304', '400', '404', '500'];
    // HTTP/2 forbids transfer-encoding; its place is between two that are here.
    const names = staticEntries.flatMap((entry) => (entry === undefined ? [] : [entry.name]));
    const own = names.filter((name) => !name.startsWith(':') && name !== 'transfer-encoding');
    expect(own).toHaveLength(61 - 15);
    const request = [':method', 'GET', ':scheme', 'https', ':authority', 'a'];
    for (const [i, status] of statuses.entries()) {
      // Empty values are in the table, too.
      const fields = own.flatMap((name) => [
        name,
        [name === 'content-length' ? '0' : `${i}`, ''][i % 2] as string,
      ]);
      const answer = [':status', status, ...fields, 'accept-encoding', 'gzip, deflate'];
      server.answerWith(answer);
      const sent = [
        ...request,
        ...fields.filter((_, at) => !/^(content-length|host)$/.test(fields[at & ~1] as string)),
      ];
      expect(await client.request('/', sent)).toEqual(answer);
      expect(server.seen.at(-1)).toEqual([':path', '/', ...sent]);
    }
  });

  it('sends all that a decoder must know', async () => {
    const { server, client } = await startBoth({ server: 4_096, client: 2_000 });
    const values = texts(2);
    for (let i = 0; i < 100; i++) {
      server.answerWith(response(values, i));
      await client.request('/', letterhead(server.port, values, 0));
    }
    const all = Buffer.concat(client.blocks);
    // A table size first, and references into the dynamic table.
    expect((client.blocks[0]?.[0] as number) & 0xe0).toBe(0x20);
    expect(client.blocks.some((block) => block.includes(0xbe))).toBe(true);
    // Strings of both kinds, of a value that is nowhere shorter and of one that is.
    expect(all.includes(Buffer.from('nghttp2'))).toBe(false);
    expect(values.some((value) => value.length > 20 && all.includes(Buffer.from(value, 'latin1')))).toBe(
      true,
    );
  });
});
