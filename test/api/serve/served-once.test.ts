// tier: postgres
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openTestApi } from '../support.ts';

describe('the OpenAPI text', async () => {
  const api = await openTestApi();

  const ask = (headers: Record<string, string> = {}) =>
    api.app.inject({ url: '/api/v1/openapi.json', headers });

  it.each<[accepts: string, coding: string | undefined, decode: (bytes: Buffer) => Buffer]>([
    ['', undefined, (bytes) => bytes],
    ['br;q=0, identity', undefined, (bytes) => bytes],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
  ])(
    'is sent to clients that accept %j as they accept it, always the same text',
    async (accepts, coding, decode) => {
      const plain = await ask();
      const answer = await ask({ 'accept-encoding': accepts });
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, no-cache',
        vary: 'accept-encoding',
        etag: plain.headers.etag,
      });
      expect(answer.headers['content-encoding']).toBe(coding);
      expect(decode(answer.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(plain.json().openapi).toBe('3.1.0');
      if (coding !== undefined) expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
    },
  );

  it('is not sent again to a client that has it', async () => {
    const etag = String((await ask()).headers.etag);
    for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const answer = await ask({ 'if-none-match': known });
      expect([known, answer.statusCode, answer.body, answer.headers.etag]).toEqual([known, 304, '', etag]);
    }
    expect((await ask({ 'if-none-match': '"other"' })).statusCode).toBe(200);
  });
});
