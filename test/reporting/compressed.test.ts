// tier: postgres
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { codingOf } from '../../engine/kit/http/send-compressed.ts';
import { createReportToken, createTestReporting, generateRequest, madeOf, plainBody } from './support.ts';

const lines = Array.from({ length: 500 }, (_, at) => `{"impressions":${at}}\n`).join('');

const reporting = await createTestReporting({
  generateReport: async ({ limit }) =>
    madeOf(Readable.from([Buffer.from(limit === 1 ? '{"impressions":1}\n' : lines)])),
});
const token = await createReportToken(reporting.database);
afterAll(() => reporting.close());

const ask = (acceptEncoding: string, body: object = {}) => {
  const { headers, ...request } = generateRequest(token, { ...plainBody, ...body });
  return reporting.app.inject({ ...request, headers: { ...headers, 'accept-encoding': acceptEncoding } });
};

const readers = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

describe('an answer', () => {
  it.each(Object.entries(readers))('is compressed as %s for a client that takes it', async (coding, read) => {
    const plain = await ask('identity');
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding' });
    expect(plain.headers['content-encoding']).toBe(undefined);
    const answer = await ask(coding);
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(read(answer.rawPayload).toString()).toBe(plain.body);
    expect(answer.rawPayload.length * 3).toBeLessThan(plain.rawPayload.length);
  });

  it('is sent as it is where it is short, a file of a compressed kind, or nothing is taken', async () => {
    for (const [encoding, body] of [
      ['gzip', { limit: 1 }],
      ['gzip, br', { format: 'parquet' }],
      ['gzip;q=0', {}],
      ['', {}],
    ] as const)
      expect((await ask(encoding, body)).headers['content-encoding'], encoding).toBe(undefined);
  });
});

describe('the coding of an answer', () => {
  it('is the one with the greatest weight, and of several the first that is offered', () => {
    const offered = ['zstd', 'br', 'gzip'] as const;
    for (const [header, coding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, br', 'br'],
      ['gzip;q=1.0, br;q=0.5', 'gzip'],
      ['GZIP', 'gzip'],
      ['br;q=0, gzip;q=0.1', 'gzip'],
      ['br;q=0.000', null],
      ['deflate', null],
      ['', null],
    ] as const)
      expect([header, codingOf(header, offered)]).toEqual([header, coding]);
  });
});
