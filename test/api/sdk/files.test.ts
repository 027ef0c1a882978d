// tier: postgres
import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openTestApi } from '../support.ts';

/** The promise of the SDK: what a page and a worker load, gzipped. */
const MAX_GZIPPED_BYTES = 8_192;
/** And what a permission that was taken away and the time on the site cost: they happen on pages without a prompt, too. */
const MAX_PAGE_BYTES = MAX_GZIPPED_BYTES + 307;

interface Pinned {
  readonly path: string;
  readonly integrity: string;
}

describe('the SDK’s files', async () => {
  const api = await openTestApi();
  const get = (name: string, headers: Record<string, string> = {}) =>
    api.app.inject({ url: `/sdk/v1/${name}`, headers });
  const manifest: Readonly<Record<string, Pinned>> = (await get('manifest.json')).json();

  const pinnedOf = (name: string): Pinned => {
    const pinned = manifest[name];
    if (pinned === undefined) throw new Error(`the manifest has no ${name}`);
    return pinned;
  };

  it('are small: script and loader together are below 8.3 KB gzipped, and the worker below 8', async () => {
    const sizeOf = async (name: string) => gzipSync((await get(name)).body).length;
    const script = await sizeOf(pinnedOf('broadside.js').path);
    const loader = await sizeOf('broadside.js');
    expect(script).toBeGreaterThan(1_000);
    expect(script + loader).toBeLessThan(MAX_PAGE_BYTES);
    expect(await sizeOf(pinnedOf('broadside.mjs').path)).toBeLessThan(MAX_GZIPPED_BYTES);
    expect(await sizeOf('worker.js')).toBeLessThan(MAX_GZIPPED_BYTES);
    expect(await sizeOf(pinnedOf('prompts.js').path)).toBeLessThan(MAX_GZIPPED_BYTES);
  });

  it('have the texts of prompts in a file a language, of which a page loads one', async () => {
    const files = Object.entries(manifest).filter(([name]) => name.endsWith('.json'));
    expect(files).toHaveLength(12);
    const prompts = (await get(pinnedOf('prompts.js').path)).body;
    for (const [, { path }] of files) {
      const { headers, body } = await get(path);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(JSON.parse(body).question).not.toBe('');
      expect(gzipSync(body).length).toBeLessThan(MAX_GZIPPED_BYTES / 4);
      expect(prompts).toContain(path);
    }
  });

  it('are loaded from third-party pages, cached forever by their hash, and match their integrity', async () => {
    for (const name of ['broadside.js', 'broadside.mjs']) {
      const { path, integrity } = pinnedOf(name);
      const { statusCode, headers, body } = await get(path);
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'content-type': 'text/javascript; charset=utf-8',
        'x-content-type-options': 'nosniff',
      });
      expect(integrity).toBe(`sha384-${hash('sha384', body, 'base64')}`);
      expect(path).toBe(`${hash('sha256', body, 'hex').slice(0, 16)}/${name}`);
    }
  });

  it('have short, stable addresses, cached for an hour and then revalidated by their tag', async () => {
    for (const name of ['broadside.js', 'broadside.mjs', 'broadside.d.ts', 'worker.js', 'worker-part.js']) {
      const { statusCode, headers } = await get(name);
      expect([name, statusCode]).toEqual([name, 200]);
      expect(headers['cache-control']).toBe('public, max-age=3600, stale-while-revalidate=86400');
      const again = await get(name, { 'if-none-match': String(headers.etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
  });

  it('lead from the address that stays to the one by the hash, with its integrity', async () => {
    const script = pinnedOf('broadside.js');
    const loader = (await get('broadside.js')).body;
    expect(loader).toContain(script.path);
    expect(loader).toContain(script.integrity);
    expect((await get('broadside.mjs')).body).toContain(`'./${pinnedOf('broadside.mjs').path}'`);
  });

  it('come compressed to clients that accept that', async () => {
    const { path } = pinnedOf('broadside.js');
    const plain = await get(path);
    for (const [accepts, coding, decode] of [
      ['gzip, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await get(path, { 'accept-encoding': accepts });
      expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' });
      expect(decode(rawPayload).toString()).toBe(plain.body);
    }
  });

  it('are not found under another name, hash, or the address of another kind', async () => {
    const { path } = pinnedOf('broadside.js');
    const strange = ['other.js', '0123456789abcdef/broadside.js', path.replace('broadside', 'worker')];
    for (const name of strange) {
      const { statusCode, headers } = await get(name);
      expect([name, statusCode, headers['cache-control']]).toEqual([name, 404, undefined]);
    }
  });

  it('have types that stand alone', async () => {
    const types = (await get('broadside.d.ts')).body;
    expect(types).toContain('export const Broadside: BroadsideSdk;');
    expect(types).not.toMatch(/^import |import\(/m);
  });
});
