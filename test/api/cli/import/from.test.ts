import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { createVapidKeys } from '../../../../api/client/vapid-keys/rotate-key.ts';
import { toId } from '../../../../engine/contract/ids.ts';
import { type BuiltApp, buildApp, buildSubscriptions, testSealer } from '../../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';
import { MASTER_KEY, newKeys } from '../../support.ts';

let test: TestDatabase;
let folder: string;
let app: BuiltApp;
const pair = webPush.generateVAPIDKeys();
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broadside-from-'));
  await writeFile(join(folder, 'old.json'), JSON.stringify(pair));
  app = await buildApp(test.database);
});
afterEach(() => rm(folder, { recursive: true }));

const run = async (text: string | Buffer, name: string, ...more: readonly string[]) => {
  await writeFile(join(folder, name), text);
  const args = ['import', 'subscriptions', '--app', app.identifier, '--json', ...more, join(folder, name)];
  const env = { DATABASE_URL: test.url, MASTER_KEY: MASTER_KEY.toString('base64') };
  const { code, out, err } = await runCliHere(args, { cwd: folder, env });
  return { code, err, summary: out === '' ? null : JSON.parse(out) };
};
const from = (text: string | Buffer, name: string, service: string, ...more: readonly string[]) =>
  run(text, name, '--from', service, '--vapid', join(folder, 'old.json'), ...more);

interface Row {
  readonly endpoint: string;
  readonly tags: object;
  readonly external_ids: object;
  readonly user_identity: string | null;
  readonly language: string | null;
  readonly country: string | null;
  readonly zone: string | null;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly public_key: string;
}
const rows = () =>
  test.database.query<Row>(
    `SELECT endpoint, tags, external_ids, user_identity, language, country, subscriptions.created_at, last_seen_at,
       (SELECT name FROM time_zones WHERE id = time_zone_id) AS zone,
       CASE WHEN subscriptions.vapid_key_number = apps.vapid_key_number THEN vapid_public_key
         ELSE (SELECT public_key FROM vapid_keys WHERE app_id = apps.id AND number = subscriptions.vapid_key_number) END
         AS public_key
     FROM subscriptions JOIN apps ON apps.id = app_id WHERE app_id = $1 ORDER BY seq`,
    [app.id],
  );
const fcm = (name: string) => `https://fcm.googleapis.com/fcm/send/${name}`;
const keys = newKeys();

const oneSignalHead =
  'id,identifier,session_count,language,timezone,game_version,device_os,device_type,device_model,ad_id,tags,last_active,' +
  'playtime,amount_spent,created_at,invalid_identifier,badge_count,external_user_id,country,web_auth,web_p256,notification_types,timezone_id';
const csv = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const oneSignalRow = (changes: Readonly<Record<string, string>> = {}): string => {
  const fields: Record<string, string> = {
    ...{
      id: 'b2f7f966-d8cc-11e4-bed1-df8f05be55ba',
      identifier: fcm('one'),
      session_count: '3',
      language: 'de',
    },
    ...{
      timezone: '3600',
      game_version: '',
      device_os: '140',
      device_type: '5',
      device_model: 'Linux',
      ad_id: '',
    },
    ...{ tags: '{"topic":"sport","visits":"3"}', last_active: '2026-02-01 08:30:00 UTC', playtime: '12' },
    ...{
      amount_spent: '0',
      created_at: '2025-03-05 10:00:00 UTC',
      invalid_identifier: 'f',
      badge_count: '0',
    },
    ...{ external_user_id: 'account-7', country: 'DE', web_auth: keys.auth, web_p256: keys.p256dh },
    ...{ notification_types: '1', timezone_id: 'Europe/Berlin', ...changes },
  };
  return oneSignalHead
    .split(',')
    .map((name) => csv(fields[name] ?? ''))
    .join(',');
};
const oneSignal = (...lines: readonly string[]): string => [oneSignalHead, ...lines, ''].join('\n');

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
    const report = join(folder, 'report.json');
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
      'endpoint is on no known push service (PUSH_SERVICE_HOSTS names them)': [11],
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
    const [row] = await test.database.query(`SELECT vapid_public_key AS key FROM apps WHERE id = $1`, [
      app.id,
    ]);
    expect(row).toEqual({ key: app.vapidPublicKey });
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

    app = await buildApp(test.database);
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
    const before = await test.database.query(`SELECT * FROM apps WHERE id = $1`, [app.id]);
    const lines = Array.from({ length: 30 }, (_, n) => oneSignalRow({ identifier: fcm(`d${n % 20}`) }));
    const { code, summary } = await from(oneSignal(...lines), 'users.csv', 'onesignal', '--dry-run');
    expect(code).toBe(0);
    expect(summary).toMatchObject({
      ...{ dry_run: true, lines: 30, inserted: 20, updated: 10, vapid: { state: 'active', is_new: true } },
    });
    expect(await rows()).toEqual([]);
    expect(await test.database.query(`SELECT * FROM apps WHERE id = $1`, [app.id])).toEqual(before);
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
      ...['--vapid', join(folder, 'old.json')],
    );
    expect(code).toBe(0);
    const [row] = await rows();
    expect(row).toMatchObject({ public_key: pair.publicKey, external_ids: { crm: '7' } });
    // Nobody comes from the future.
    expect(row?.last_seen_at.getTime()).toBeLessThan(Date.now() + 60_000);
  });
});

describe('the key pair of a former sender', () => {
  const line = JSON.stringify({ endpoint: fcm('one'), keys });

  it('is needed: without it nothing is read', async () => {
    const { code, err } = await run(line, 'dump.ndjson', '--from', 'webpush');
    expect(code).toBe(1);
    expect(err).toContain('push services answer 403. Ask that service for the pair');
  });

  const other = webPush.generateVAPIDKeys();
  it.each([
    [
      'of two pairs',
      { ...pair, privateKey: other.privateKey },
      'the private key belongs to another public key',
    ],
    ['a short public key', { ...pair, publicKey: 'BAAA' }, 'the public key is no base64url of the 65 bytes'],
    ['PEM', { ...pair, privateKey: '-----BEGIN EC PRIVATE KEY-----' }, 'a PEM file has to be converted'],
    ['no scalar', { ...pair, privateKey: Buffer.alloc(32).toString('base64url') }, 'none of P-256'],
    ['half of it', { publicKey: pair.publicKey }, 'no JSON object with publicKey and privateKey'],
  ])('is checked before the first line: %s', async (_, given, words) => {
    await writeFile(join(folder, 'old.json'), JSON.stringify(given));
    const { code, err } = await from(line, 'dump.ndjson', 'webpush');
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err).not.toContain(pair.privateKey);
    expect(await rows()).toEqual([]);
  });

  it('is sealed under the master key, and noted in the audit log', async () => {
    await from(line, 'dump.ndjson', 'webpush');
    const [row] = await test.database.query<{ key: string; sealed: Buffer }>(
      `SELECT vapid_public_key AS key, vapid_private_key_sealed AS sealed FROM apps WHERE id = $1`,
      [app.id],
    );
    expect(row?.key).toBe(pair.publicKey);
    expect(row?.sealed.includes(Buffer.from(pair.privateKey))).toBe(false);
    expect(testSealer.open(row?.sealed ?? Buffer.alloc(0), app.identifier).toString()).toBe(pair.privateKey);
    const noted = await test.database.query(`SELECT action, detail FROM audit_log WHERE app_id = $1`, [
      app.id,
    ]);
    const key = createHash('sha256')
      .update(Buffer.from(pair.publicKey, 'base64url'))
      .digest('hex')
      .slice(0, 16);
    expect(noted).toEqual([{ action: 'vapid-key.adopted', detail: { key } }]);
  });

  it('stands beside the app’s own where that has subscribers, whose key stays; a rotation later clashes with none', async () => {
    await buildSubscriptions(test.database, app.id, 2);
    const { summary } = await from(line, 'dump.ndjson', 'webpush');
    expect(summary.vapid).toMatchObject({ state: 'retiring', is_new: true });
    const { publicKey: own } = { publicKey: app.vapidPublicKey };
    expect((await rows()).map(({ public_key: key }) => key)).toEqual([own, own, pair.publicKey]);
    const again = await from(line, 'dump.ndjson', 'webpush');
    expect(again.summary).toMatchObject({ updated: 1, vapid: { state: 'retiring', is_new: false } });

    await writeFile(join(folder, 'old.json'), JSON.stringify(other));
    const third = await from(line, 'dump.ndjson', 'webpush');
    expect(third.code).toBe(1);
    expect(third.err).toContain('can have no third. End that one');

    await test.database.query(
      `UPDATE vapid_keys SET state = 'retired', private_key_sealed = NULL WHERE app_id = $1`,
      [app.id],
    );
    const organizationId = toId<never>(app.organizationId);
    const actor = { organizationId, userId: null, tokenId: null, via: 'command', requestId: null } as const;
    const rotated = await createVapidKeys(test.database, testSealer).rotate({
      ...{ organizationId, identifier: app.identifier, actor },
    });
    expect(rotated.kind).toBe('rotated');
    const numbers = await test.database.query<{ number: number }>(
      `SELECT number FROM vapid_keys WHERE app_id = $1 UNION ALL SELECT vapid_key_number FROM apps WHERE id = $1`,
      [app.id],
    );
    expect(new Set(numbers.map(({ number }) => number)).size).toBe(3);

    // Ended for this app: what is bound to it would come in to be unsubscribed.
    await writeFile(join(folder, 'old.json'), JSON.stringify(pair));
    expect((await from(line, 'dump.ndjson', 'webpush')).err).toContain('this key pair was ended');
  });

  it('goes to no app of another organization', async () => {
    const { code, err } = await from(line, 'dump.ndjson', 'webpush', '--organization', 'Somebody Else');
    expect(code).toBe(1);
    expect(err).toContain(`there is no app "${app.identifier}" in the organization "Somebody Else"`);
    expect(await rows()).toEqual([]);
  });
});

describe('a hostile export', () => {
  it.each([
    [
      'a field of 1 MB',
      oneSignal(oneSignalRow({ tags: 'x'.repeat(1_000_000) }), oneSignalRow()),
      'is too long',
    ],
    [
      'a NUL in the endpoint',
      oneSignal(oneSignalRow({ identifier: `${fcm('a')}\0` }), oneSignalRow()),
      'endpoint is no URL',
    ],
    [
      'a line end in the endpoint',
      oneSignal(oneSignalRow({ identifier: `${fcm('a')}\nb` }), oneSignalRow()),
      'endpoint is no URL',
    ],
    ['a stray quote', oneSignal('a"b,c', oneSignalRow()), 'is not valid CSV: a quote in the wrong position'],
    ['too few fields', oneSignal('a,b', oneSignalRow()), 'does not have as many fields as the header'],
    [
      'an address within',
      oneSignal(oneSignalRow({ identifier: 'https://127.0.0.1/x' }), oneSignalRow()),
      'endpoint is on no known push service (PUSH_SERVICE_HOSTS names them)',
    ],
  ])('with %s loses that line alone, with a reason', async (_, text, reason) => {
    const { code, summary } = await from(text, 'users.csv', 'onesignal');
    expect(code).toBe(3);
    expect(summary).toMatchObject({
      lines: 2,
      inserted: 1,
      refused: 1,
      cannot_be_moved: [{ reason, lines: 1 }],
    });
  });

  it.each([
    [
      'UTF-16 with its mark',
      Buffer.from(`\ufeff${oneSignal(oneSignalRow())}`, 'utf16le'),
      'the file is in UTF-16',
    ],
    ['UTF-16 without', Buffer.from(oneSignal(oneSignalRow()), 'utf16le'), 'the file is in UTF-16'],
    [
      'an open quote',
      oneSignal('"'.padEnd(2_000_000, 'x')),
      'line 2: a quote opens there and does not close',
    ],
  ])('in %s is refused as a whole, with what to do', async (_, text, words) => {
    const { code, err } = await from(text, 'users.csv', 'onesignal');
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(await rows()).toEqual([]);
  });

  it('with a byte order mark, CRLF and columns in another order is read', async () => {
    const text = `\ufeffweb_p256,tags,identifier,web_auth\r\n${keys.p256dh},"{""a"":""b,c""}",${fcm('x')},${keys.auth}\r\n`;
    expect((await from(text, 'users.csv', 'onesignal')).code).toBe(0);
    expect(await rows()).toMatchObject([{ endpoint: fcm('x'), tags: { a: 'b,c' } }]);
  });

  it('of JSON that does not end, or goes on after its list, is refused with the line', async () => {
    const item = JSON.stringify({ endpoint: fcm('one'), keys });
    expect((await from(`[${item},\n${item}`, 'dump.json', 'webpush')).err).toContain(
      'line 2: the list of the file does not end',
    );
    expect((await from(`[${item}]\n{}`, 'dump.json', 'webpush')).err).toContain(
      'line 2: something follows the list',
    );
    const long = await from(
      `[${JSON.stringify({ a: 'x'.repeat(100_000) })},${item}, 7]`,
      'dump.json',
      'webpush',
    );
    expect(long.summary).toMatchObject({ lines: 3, refused: 2 });
  });
});

describe('what replaces a former worker', () => {
  const print = async (...args: readonly string[]) => {
    const given = ['--app', 'news-k3x9qa', '--base-url', 'https://push.example.com/'];
    return runCliHere(['import', 'worker', ...given, ...args], { cwd: folder, env: {} });
  };

  it('is one line at the old address, and the pages name that address', async () => {
    const { code, out } = await print('--from', 'onesignal', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      path: '/OneSignalSDKWorker.js',
      others: ['/OneSignalSDKUpdaterWorker.js'],
      worker: `importScripts('https://push.example.com/sdk/v1/worker.js');\n`,
      page: expect.stringContaining(`workerUrl: '/OneSignalSDKWorker.js'`),
    });
    const beside = JSON.parse((await print('--from', 'pushwoosh', '--beside', '--json')).out);
    expect(beside.worker).toBe(
      `importScripts('https://push.example.com/sdk/v1/worker-part.js');\nimportScripts('https://cdn.pushwoosh.com/webpush/v3/pushwoosh-service-worker.js');\n`,
    );
    const firebase = JSON.parse((await print('--from', 'firebase', '--json')).out);
    expect(firebase.page).toContain(`scope: '/firebase-cloud-messaging-push-scope'`);
  });

  it('is made for another path, and refuses what is none', async () => {
    const moved = await print(
      '--from',
      'onesignal',
      '--path',
      '/push/onesignal/OneSignalSDKWorker.js',
      '--scope',
      '/push/onesignal/',
    );
    expect(moved.out).toContain(
      `workerUrl: '/push/onesignal/OneSignalSDKWorker.js',\n  scope: '/push/onesignal/'`,
    );
    expect((await print('--from', 'webpush', '--path', 'sw.js')).err).toContain('is no path on the site');
  });
});
