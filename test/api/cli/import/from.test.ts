// tier: postgres
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { buildApp } from '../../../support/builders.ts';
import {
  fcm,
  from,
  here,
  keys,
  oneSignal,
  oneSignalRow,
  pair,
  rows,
  run,
  useForeignImports,
} from './foreign-imports.ts';

useForeignImports();

describe('an import of OneSignal’s export', () => {
  it('keeps tags, ids, language, country, zone and times, and the key that the browser subscribed with', async () => {
    const { code, err, summary } = await from(oneSignal(oneSignalRow()), 'users.csv', 'onesignal');
    expect(code, err).toBe(0);
    expect(summary).toMatchObject({
      ...{ lines: 1, inserted: 1, updated: 0, refused: 0, from: 'onesignal', dry_run: false },
      ...{ cannot_be_moved: [], moved_without: [] },
      vapid: { public_key: pair.publicKey, state: 'active', is_new: true },
    });
    // What has no place here is named, with the number of lines that hold it.
    expect(summary.unknown_fields.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['session_count', 'timezone', 'device_os', 'device_model', 'playtime']),
    );
    expect(await rows()).toEqual([
      {
        endpoint: fcm('one'),
        tags: { topic: 'sport', visits: '3' },
        external_ids: {
          external_user_id: 'account-7',
          onesignal_id: 'b2f7f966-d8cc-11e4-bed1-df8f05be55ba',
        },
        user_identity: null,
        ...{ language: 'de', country: 'DE', zone: 'Europe/Berlin' },
        created_at: new Date('2025-03-05T10:00:00Z'),
        last_seen_at: new Date('2026-02-01T08:30:00Z'),
        public_key: pair.publicKey,
      },
    ]);
  });

  it('says of each line that cannot be moved why, in the summary and in a file for its owner alone', async () => {
    const text = oneSignal(
      oneSignalRow(),
      oneSignalRow({ device_type: '11', identifier: 'ada@example.com', web_auth: '', web_p256: '' }),
      oneSignalRow({ device_type: '14', identifier: '+49123', web_auth: '', web_p256: '' }),
      oneSignalRow({ device_type: '1', identifier: 'x:APA91b' }),
      oneSignalRow({ device_type: '7', identifier: 'ABCDEF' }),
      oneSignalRow({ invalid_identifier: 't', identifier: fcm('gone') }),
      oneSignalRow({ notification_types: '-2', identifier: fcm('out') }),
      oneSignalRow({ identifier: '' }),
      oneSignalRow({ web_auth: '', identifier: fcm('keyless') }),
      oneSignalRow({ identifier: 'https://evil.example.org/x' }),
      oneSignalRow({ identifier: fcm('odd'), language: 'Klingon', country: 'XYZ', tags: 'nonsense' }),
    );
    const report = join(here.folder, 'report.json');
    const { code, summary } = await from(text, 'users.csv', 'onesignal', '--report', report);
    expect(code).toBe(3);
    expect(summary).toMatchObject({ lines: 11, inserted: 2, refused: 9 });
    const reasons = Object.fromEntries(
      summary.cannot_be_moved.map(({ reason, first }: { reason: string; first: { line: number }[] }) => [
        reason,
        first.map(({ line }) => line),
      ]),
    );
    expect(reasons).toEqual({
      'is an e-mail address, and no browser': [3],
      'is a phone number, and no browser': [4],
      'is an Android app, and no browser': [5],
      'is Safari’s older push over APNs, which has no endpoint: the reader must subscribe anew': [6],
      'was unsubscribed at OneSignal (invalid_identifier)': [7],
      'was unsubscribed at OneSignal (notification_types is not positive)': [8],
      'endpoint is missing': [9],
      'auth is missing': [10],
      'endpoint at evil.example.org is on no known push service (PUSH_SERVICE_HOSTS names them)': [11],
    });
    expect(summary.moved_without.map(({ reason }: { reason: string }) => reason).toSorted()).toEqual([
      'country is no ISO code of two letters',
      'language is no language, such as de or pt-BR',
      'tags are no JSON object of at most 50 texts',
    ]);
    expect(JSON.parse(await readFile(report, 'utf8'))).toEqual(summary);
    expect((await stat(report)).mode & 0o077).toBe(0);
    expect((await rows()).map(({ endpoint }) => endpoint)).toEqual([fcm('one'), fcm('odd')]);
  });

  it('names the columns that are missing, and how to get them, before anything is changed', async () => {
    const { code, err } = await from('id,identifier,tags\n1,2,3\n', 'users.csv', 'onesignal');
    expect(code).toBe(1);
    expect(err).toContain('names no web_auth, web_p256: ask OneSignal’s CSV export for the extra_fields');
    const [row] = await here.test.database.query(`SELECT vapid_public_key AS key FROM apps WHERE id = $1`, [
      here.app.id,
    ]);
    expect(row).toEqual({ key: here.app.vapidPublicKey });
  });

  it('run twice gives the same, and two at once do too', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => oneSignalRow({ identifier: fcm(`n${n % 250}`) }));
    const text = oneSignal(...lines);
    await from(text, 'users.csv', 'onesignal');
    const once = await rows();
    expect(once).toHaveLength(250);
    const again = await from(text, 'users.csv', 'onesignal');
    expect(again.summary).toMatchObject({ inserted: 0, updated: 300, vapid: { is_new: false } });
    expect(await rows()).toEqual(once);

    here.app = await buildApp(here.test.database);
    const both = await Promise.all([from(text, 'a.csv', 'onesignal'), from(text, 'b.csv', 'onesignal')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await rows()).toHaveLength(250);
    expect(both.filter(({ summary }) => summary.vapid.is_new)).toHaveLength(1);
  });

  it('merges several lines of one endpoint: none of their tags and ids is lost, and the first date holds', async () => {
    await from(
      oneSignal(
        oneSignalRow({ tags: '{"a":"1","b":"1"}', created_at: '2025-01-01 00:00:00 UTC', country: '' }),
        oneSignalRow({ tags: '{"b":"2"}', external_user_id: '', created_at: '2025-06-01 00:00:00 UTC' }),
      ),
      'users.csv',
      'onesignal',
    );
    expect(await rows()).toMatchObject([
      {
        tags: { a: '1', b: '2' },
        external_ids: { external_user_id: 'account-7' },
        country: 'DE',
        created_at: new Date('2025-01-01T00:00:00Z'),
      },
    ]);
  });

  it('writes nothing in a dry run, and says what it would do', async () => {
    const before = await here.test.database.query(`SELECT * FROM apps WHERE id = $1`, [here.app.id]);
    const lines = Array.from({ length: 30 }, (_, n) => oneSignalRow({ identifier: fcm(`d${n % 20}`) }));
    const { code, summary } = await from(oneSignal(...lines), 'users.csv', 'onesignal', '--dry-run');
    expect(code).toBe(0);
    expect(summary).toMatchObject({
      ...{ dry_run: true, lines: 30, inserted: 20, updated: 10, vapid: { state: 'active', is_new: true } },
    });
    expect(await rows()).toEqual([]);
    expect(await here.test.database.query(`SELECT * FROM apps WHERE id = $1`, [here.app.id])).toEqual(before);
    const real = await from(oneSignal(...lines), 'users.csv', 'onesignal');
    expect(real.summary).toMatchObject({ inserted: 20, updated: 10 });
  });
});

describe('an import from another sender', () => {
  const line = (name: string, more: object = {}) => JSON.stringify({ endpoint: fcm(name), keys, ...more });

  it.each([
    ['JSON lines', (items: string[]) => items.join('\n')],
    ['one JSON list', (items: string[]) => `[${items.join(',')}]`],
    [
      'a pretty list',
      (items: string[]) =>
        JSON.stringify(
          items.map((item) => JSON.parse(item)),
          null,
          2,
        ),
    ],
  ])('reads a web-push dump as %s, wherever its keys are', async (_, write) => {
    const flat = JSON.stringify({
      endpoint: fcm('flat'),
      ...keys,
      userId: 'u1',
      createdAt: 1_740_000_000_000,
    });
    const nested = JSON.stringify({
      user_id: 7,
      subscription: { endpoint: fcm('nested'), keys },
      tags: { a: 1 },
    });
    const { code, err } = await from(write([line('plain'), flat, nested]), 'dump.json', 'webpush');
    expect(code, err).toBe(0);
    expect(await rows()).toMatchObject([
      { endpoint: fcm('plain') },
      {
        endpoint: fcm('flat'),
        user_identity: null,
        external_ids: { external_user_id: 'u1' },
        created_at: new Date(1_740_000_000_000),
      },
      {
        endpoint: fcm('nested'),
        user_identity: null,
        external_ids: { external_user_id: '7' },
        tags: { a: '1' },
      },
    ]);
  });

  it('moves what Firebase’s SDK kept of the subscription, and says of a registration token why it cannot', async () => {
    const token = `dG9rZW4xMjM0NTY3ODk:APA91b${'x'.repeat(134)}`;
    const text = [
      JSON.stringify({
        token,
        subscriptionOptions: { ...keys, endpoint: fcm('kept'), vapidKey: pair.publicKey },
      }),
      JSON.stringify({ web: { ...keys, endpoint: fcm('web'), applicationPubKey: pair.publicKey } }),
      JSON.stringify({ token }),
      JSON.stringify({ fcmToken: token, user_id: 'u' }),
      JSON.stringify({ ...keys, endpoint: fcm('other'), vapidKey: webPush.generateVAPIDKeys().publicKey }),
    ].join('\n');
    const { code, summary } = await from(text, 'dump.ndjson', 'firebase');
    expect(code).toBe(3);
    expect((await rows()).map(({ endpoint }) => endpoint)).toEqual([fcm('kept'), fcm('web')]);
    expect(summary.cannot_be_moved).toMatchObject([
      {
        reason: expect.stringContaining('is an FCM registration token'),
        lines: 2,
        first: [{ line: 3 }, { line: 4 }],
      },
      { reason: 'was made with another VAPID key than the one given', lines: 1 },
    ]);
    const csvOfTokens = await from(`user,token\n1,${token}\n`, 'tokens.csv', 'firebase');
    expect(csvOfTokens.summary).toMatchObject({ lines: 1, refused: 1 });
  });

  it('reads Pushwoosh’s columns however they are written, and makes Chrome’s endpoint of its token', async () => {
    const token = `eK2x-tokenOfChrome:APA91b${'y'.repeat(134)}`;
    const text = [
      'Hwid,Push Token,Public Key,Auth Token,Device Type,User ID,Language,Tags',
      `h1,${token},${keys.p256dh},${keys.auth},11,ada,en,"{""city"":""Ulm""}"`,
      `h2,https://updates.push.services.mozilla.com/wpush/v2/abc,${keys.p256dh},${keys.auth},12,h2,fr,`,
      `h3,0123456789abcdef,,,10,,de,`,
      `h4,abc,,,3,,de,`,
      `h5,?token=abc,${keys.p256dh},${keys.auth},11,,de,`,
    ].join('\r\n');
    const { summary } = await from(`\ufeff${text}\r\n`, 'export.csv', 'pushwoosh');
    expect(await rows()).toMatchObject([
      {
        endpoint: fcm(token),
        tags: { city: 'Ulm' },
        external_ids: { pushwoosh_hwid: 'h1', external_user_id: 'ada' },
        language: 'en',
      },
      { endpoint: expect.stringContaining('mozilla'), external_ids: { pushwoosh_hwid: 'h2' } },
    ]);
    expect(summary.cannot_be_moved).toHaveLength(3);
  });

  it('takes the plain form with the pair of a former sender', async () => {
    const { code } = await run(
      line('plain', { external_ids: { crm: '7' }, last_seen_at: '2099-01-01' }),
      'plain.ndjson',
      ...['--vapid', join(here.folder, 'old.json')],
    );
    expect(code).toBe(0);
    const [row] = await rows();
    expect(row).toMatchObject({ public_key: pair.publicKey, external_ids: { crm: '7' } });
    // Nobody comes from the future.
    expect(row?.last_seen_at.getTime()).toBeLessThan(Date.now() + 60_000);
  });
});
