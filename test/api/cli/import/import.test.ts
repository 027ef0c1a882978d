// tier: postgres
import { Buffer } from 'node:buffer';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseRow } from '../../../../api/cli/import/row.ts';
import { subscriptionRules } from '../../../../api/cli/import/rules.ts';
import { runImport } from '../../../../api/cli/import/run-import.ts';
import { findAppId, storeBatch } from '../../../../api/cli/import/store.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { readRecords } from '../../../../engine/kit/command-line/file/records.ts';
import type { Refusal } from '../../../../engine/kit/command-line/file/report.ts';
import { cases } from '../../../support/cases.ts';
import { appBody, newEndpoint, newKeys, openWithMember } from '../../support.ts';

/** In batches of 10,000. What another import takes at the same time is in when this one comes to it. */
const LINES = cases(30_000, 50_000);

const policy = { hosts: ['push.example.com'], allowAnyHost: false };

/** Some points for many lines: making a key costs more than importing one. */
const keys = Array.from({ length: 20 }, newKeys);
const lineOf = (n: number, changes: object = {}) => ({
  endpoint: newEndpoint(),
  ...keys[n % 20],
  user_identity: `u${n}`,
  ...changes,
});
const ndjson = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** In pieces that end in the middle of lines and of characters. */
async function* piecesOf(text: string, size = 4_099): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('an import of subscriptions', async () => {
  let identifier: string;
  let appId: AppId;
  const { api, call } = await openWithMember();
  beforeEach(async () => {
    identifier = (await call('POST', '/apps', appBody())).json().data.identifier;
    appId = (await findAppId(api.database, identifier)) as AppId;
  });

  const importText = async (text: string, format: 'ndjson' | 'csv' = 'ndjson') => {
    const refusals: Refusal[] = [];
    const counts = await runImport(readRecords(piecesOf(text), format, subscriptionRules), {
      storeBatch: (rows) => storeBatch(api.database, appId, rows),
      parse: (value) => parseRow(value, policy),
      onRefusal: (refusal) => void refusals.push(refusal),
      onProgress: () => {},
    });
    return { counts, refusals };
  };
  const rows = () =>
    api.database.query<{
      seq: number;
      endpoint: string;
      status: string;
      tags: object;
      user_identity: string;
    }>(
      `SELECT seq, endpoint, status, tags, user_identity, country, device_type, created_at, p256dh, auth,
         (SELECT name FROM time_zones WHERE id = time_zone_id) AS time_zone, language
       FROM subscriptions WHERE app_id = $1 ORDER BY seq`,
      [appId],
    );
  const appCounts = async () => {
    const { data } = (await call('GET', `/apps/${identifier}`)).json();
    return [data.subscriber_count, data.active_subscriber_count];
  };

  it('stores every field of an NDJSON line', async () => {
    const line = lineOf(1, {
      user_identity: 'ąę\t"\\\n😀',
      tags: { plan: 'free', visits: 3, vip: true },
      country: 'pl',
      device: 'Mobile',
      time_zone: 'US/Eastern',
      language: 'en-us',
      created_at: '2026-01-05T10:00:00+02:00',
    });
    expect((await importText(`\n${ndjson([line])}\r\n`)).counts).toEqual({
      lines: 1,
      inserted: 1,
      updated: 0,
      refused: 0,
    });
    const [row] = await rows();
    expect(row).toEqual({
      seq: 0,
      endpoint: line.endpoint,
      status: 'subscribed',
      user_identity: 'ąę\t"\\\n😀',
      tags: { plan: 'free', visits: '3', vip: 'true' },
      country: 'PL',
      device_type: 'mobile',
      time_zone: 'America/New_York',
      language: 'en-US',
      created_at: new Date('2026-01-05T08:00:00Z'),
      p256dh: Buffer.from(keys[1]?.p256dh ?? '', 'base64url'),
      auth: Buffer.from(keys[1]?.auth ?? '', 'base64url'),
    });
    expect(await appCounts()).toEqual([1, 1]);
  });

  it('reads CSV with quotes, line ends within fields, a byte order mark and columns in any order', async () => {
    const { p256dh, auth } = keys[0] as { p256dh: string; auth: string };
    const endpoint = newEndpoint();
    const text =
      '\ufeffauth, endpoint,p256dh,tags,user_identity,extra\r\n' +
      `${auth},${endpoint},${p256dh},"{""a"":""b,c""}","line\nbreak",x\r\n` +
      `${auth},${newEndpoint()},${p256dh},,,\r\n`;
    expect(await importText(text, 'csv')).toEqual({
      counts: { lines: 2, inserted: 2, updated: 0, refused: 0 },
      refusals: [],
    });
    expect(await rows()).toMatchObject([
      { endpoint, tags: { a: 'b,c' }, user_identity: 'line\nbreak' },
      { tags: {}, user_identity: null },
    ]);
  });

  it('refuses each bad line with its number and reason, and goes on', async () => {
    const bad: [object | string, string][] = [
      ['{"endpoint":', 'is not valid JSON'],
      ['[]', 'is not an object'],
      [lineOf(0, { endpoint: undefined }), 'endpoint is missing'],
      [lineOf(0, { endpoint: 'nowhere' }), 'endpoint is not a URL'],
      [lineOf(0, { endpoint: 'https://push.example.com/a\nb' }), 'endpoint is not a URL'],
      [lineOf(0, { endpoint: 'http://push.example.com/a' }), 'endpoint is not https'],
      [
        lineOf(0, { endpoint: 'https://evil.example.org/a' }),
        'endpoint at evil.example.org is on no known push service (PUSH_SERVICE_HOSTS names them)',
      ],
      [lineOf(0, { p256dh: '' }), 'p256dh is missing'],
      [lineOf(0, { p256dh: Buffer.alloc(65, 4).toString('base64url') }), 'p256dh is not a point on P-256'],
      [lineOf(0, { p256dh: '%%%' }), 'p256dh is not base64'],
      [lineOf(0, { auth: 'AAAA' }), 'auth does not have 16 bytes'],
      [lineOf(0, { country: 'Poland' }), 'country is not an ISO code of two letters'],
      [lineOf(0, { country: ['PL'] }), 'country is not an ISO code of two letters'],
      [lineOf(0, { time_zone: '+02:00' }), 'time_zone is not an IANA time zone, such as Europe/Berlin'],
      [lineOf(0, { language: 'English' }), 'language is not a language, such as de or pt-BR'],
      [lineOf(0, { device: 'fridge' }), 'device_type must be one of desktop, mobile, tablet'],
      [lineOf(0, { created_at: 'yesterday' }), 'created_at is not an ISO 8601 time'],
      [lineOf(0, { tags: ['a'] }), 'tags are not a JSON object of at most 50 texts'],
      [lineOf(0, { tags: { a: { b: 1 } } }), 'tags are not a JSON object of at most 50 texts'],
      [lineOf(0, { tags: { a: 'x\0' } }), 'tags are not a JSON object of at most 50 texts'],
      [lineOf(0, { user_identity: 'a\0b' }), 'user_identity is not a text of at most 255 characters'],
      ['x'.repeat(100_000), 'is too long'],
    ];
    const lines = bad.flatMap(([line]) => [
      typeof line === 'string' ? line : JSON.stringify(line),
      JSON.stringify(lineOf(1)),
    ]);
    const { counts, refusals } = await importText(lines.join('\n'));
    expect(counts).toEqual({ lines: 44, inserted: 22, updated: 0, refused: 22 });
    expect(refusals.map(({ line, reason }) => [line, reason])).toEqual(
      bad.map(([, reason], n) => [2 * n + 1, reason]),
    );
  });

  it('refuses CSV rows of another length with their line, and goes on', async () => {
    const { p256dh, auth } = keys[0] as { p256dh: string; auth: string };
    const good = () => `${newEndpoint()},${p256dh},${auth}`;
    const text = ['endpoint,p256dh,auth', good(), 'a,b', good(), `${good()},extra`, good()].join('\n');
    const { counts, refusals } = await importText(text, 'csv');
    expect(counts).toEqual({ lines: 5, inserted: 3, updated: 0, refused: 2 });
    expect(refusals.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'does not have as many fields as the header'],
      [5, 'does not have as many fields as the header'],
    ]);
  });

  it('refuses a CSV that names a field twice, and takes one that does so with a field that nobody reads', async () => {
    const twice = 'endpoint,p256dh,auth,auth\na,b,c,d\n';
    await expect(importText(twice, 'csv')).rejects.toThrow('names auth twice');
    const { p256dh, auth } = newKeys();
    const text = `endpoint,p256dh,auth,note,note\n${newEndpoint()},${p256dh},${auth},x,y\n`;
    expect((await importText(text, 'csv')).counts.inserted).toBe(1);
  });

  it('says which columns a CSV lacks', async () => {
    await expect(importText('endpoint,key\na,b\n', 'csv')).rejects.toThrow('names no p256dh, auth');
    for (const [mark, words] of [
      [';', 'cut by semicolons'],
      ['\t', 'cut by tabs'],
      ['|', 'cut by bars'],
    ] as const) {
      const header = ['endpoint', 'p256dh', 'auth', 'tags'].join(mark);
      await expect(importText(`${header}\n`, 'csv')).rejects.toThrow(words);
    }
  });

  it('reads the names of columns in capitals', async () => {
    const { p256dh, auth } = keys[0] as { p256dh: string; auth: string };
    const text = `ENDPOINT,P256dh,Auth,Country\n${newEndpoint()},${p256dh},${auth},NO\n`;
    expect((await importText(text, 'csv')).counts).toMatchObject({ inserted: 1, refused: 0 });
  });

  it('can be run again: known endpoints are updated, nothing is duplicated, seq has no gaps', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => lineOf(n, { tags: { a: '1' } }));
    await importText(ndjson(lines));
    const more = lines.map((line) => ({
      ...line,
      tags: { b: '2' },
      country: 'DE',
      user_identity: undefined,
    }));
    const { counts } = await importText(ndjson([...more, ...Array.from({ length: 5 }, (_, n) => lineOf(n))]));
    expect(counts).toEqual({ lines: 35, inserted: 5, updated: 30, refused: 0 });
    const after = await rows();
    expect(after.map(({ seq }) => seq)).toEqual(Array.from({ length: 35 }, (_, n) => n));
    expect(after[0]).toMatchObject({ tags: { a: '1', b: '2' }, country: 'DE', user_identity: 'u0' });
    expect(await appCounts()).toEqual([35, 35]);
  });

  it('takes the last of several lines of one endpoint', async () => {
    const endpoint = newEndpoint();
    const lines = ['first', 'second', 'last'].map((user_identity) => lineOf(0, { endpoint, user_identity }));
    expect((await importText(ndjson(lines))).counts).toEqual({
      lines: 3,
      inserted: 1,
      updated: 2,
      refused: 0,
    });
    expect(await rows()).toMatchObject([{ user_identity: 'last' }]);
    expect(await appCounts()).toEqual([1, 1]);
  });

  it('brings no unsubscribed browser back', async () => {
    const line = lineOf(0);
    await importText(ndjson([line]));
    await api.database.query(`UPDATE subscriptions SET status = 'unsubscribed' WHERE app_id = $1`, [appId]);
    await api.database.query(`UPDATE apps SET active_subscriber_count = 0 WHERE id = $1`, [appId]);
    await importText(ndjson([line]));
    expect(await rows()).toMatchObject([{ status: 'unsubscribed' }]);
    expect(await appCounts()).toEqual([1, 0]);
  });

  it(`of ${LINES} lines keeps the counts right beside another import and browsers that subscribe`, async () => {
    const lines = Array.from({ length: LINES }, (_, n) => lineOf(n));
    const overlap = lines.slice(20_000, 24_000).reverse();
    const subscribe = async () => {
      for (const line of lines.slice(0, LINES * 0.8).filter((_, n) => n % 1_000 === 7)) {
        const answer = await api.app.inject({
          method: 'POST',
          url: '/api/v1/public/subscribe',
          headers: { 'x-app-id': identifier, origin: 'https://news.example.com' },
          payload: { subscription: { endpoint: line.endpoint, keys: keys[0] } },
        });
        expect(answer.statusCode).toBe(200);
      }
    };
    const [all, some] = await Promise.all([
      importText(ndjson(lines)),
      importText(ndjson(overlap)),
      subscribe(),
    ]);
    expect(all.counts.lines + some.counts.lines).toBe(LINES + 4_000);
    expect(all.counts.refused + some.counts.refused).toBe(0);
    const [stored] = await api.database.query<{ n: number; distinct_endpoints: number; next: number }>(
      `SELECT count(*) AS n, count(DISTINCT endpoint) AS distinct_endpoints, max(next_seq) AS next
       FROM subscriptions JOIN apps ON apps.id = app_id WHERE app_id = $1`,
      [appId],
    );
    expect(stored).toMatchObject({ n: LINES, distinct_endpoints: LINES });
    // Of a line that two bring in the same moment, both take a number, and one is never used.
    expect(stored?.next).toBeLessThanOrEqual(LINES + overlap.length + LINES / 1_000);
    expect(await appCounts()).toEqual([LINES, LINES]);
  });
});
