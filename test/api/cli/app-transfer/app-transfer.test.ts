// tier: system
import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adoptKeys } from '../../../../api/cli/app-transfer/adopt-keys.ts';
import { exportApp } from '../../../../api/cli/app-transfer/export-app.ts';
import { importLines } from '../../../../api/cli/app-transfer/import-lines.ts';
import { parseVapidPair } from '../../../../api/cli/app-transfer/vapid-pair.ts';
import { subscriptionRules } from '../../../../api/cli/import/rules.ts';
import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { createBlockStore } from '../../../../engine/adapters/postgres/dispatch/block-store.ts';
import { createSealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { outcomes } from '../../../../engine/contract/outcome.ts';
import { readRecords } from '../../../../engine/kit/command-line/file/records.ts';
import { buildApp, buildSubscriptions, testSealer } from '../../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { type PushServiceDouble, startPushService } from '../../../support/push-service/start.ts';
import { createRealSender, insertBrowsers } from '../../../support/real-sender.ts';
import { everyBit, makeTask } from '../../../worker/support.ts';

const BROWSERS = 40;
const passphrase = 'correct horse battery';
/** Of the other installation, which has a master key of its own. */
const otherSealer = createSealer(Buffer.alloc(32, 9));
const policy = { hosts: [], allowAnyHost: true };

let push: PushServiceDouble;
let here: TestDatabase;
let there: TestDatabase;
beforeAll(async () => {
  [push, here, there] = await Promise.all([
    startPushService({ verify: 'all' }),
    createTestDatabase(),
    createTestDatabase(),
  ]);
  await there.database.query(`INSERT INTO organizations (name) VALUES ('New Home'), ('Another')`);
});
afterAll(async () => {
  await Promise.all([push.stop(), here.drop(), there.drop()]);
});

/** An app with everything that can be moved. */
async function buildFullApp() {
  const app = await buildApp(here.database);
  const browsers = Array.from({ length: BROWSERS }, (_, n) => push.subscriber(n, app.vapidPublicKey));
  await insertBrowsers(here.database, app.id, 1, browsers);
  const [category] = await here.database.query<{ id: number }>(
    `INSERT INTO delivery_categories (app_id, name) VALUES ($1, 'Sports') RETURNING id`,
    [app.id],
  );
  await here.database.query(
    `UPDATE subscriptions SET tags = '{"plan":"gold"}', external_ids = '{"crm":"7"}', user_identity = 'u' || seq,
       secret_hash = CASE WHEN seq % 2 = 0 THEN sha256(seq::text::bytea) END,
       category_ids = ARRAY[$2::integer], country = 'DE', device_type = 'mobile', browser_name = 'Firefox',
       time_zone_id = (SELECT id FROM time_zones WHERE name = 'Asia/Tokyo'), language = 'ja',
       created_at = '2026-01-02T03:04:05.678Z', last_seen_at = '2026-02-02T03:04:05Z',
       status = CASE WHEN seq % 10 = 3 THEN 'unsubscribed' ELSE 'subscribed' END,
       unsubscribed_at = CASE WHEN seq % 10 = 3 THEN '2026-03-01T00:00:00Z'::timestamptz END WHERE app_id = $1`,
    [app.id, category?.id],
  );
  await here.database.query(
    `UPDATE apps SET active_subscriber_count = active_subscriber_count - 4, time_zone = 'Europe/Paris', frequency_cap_max_notifications = 3,
       frequency_cap_window_minutes = 60, default_query_params = '[{"key":"utm","value":"push"}]' WHERE id = $1`,
    [app.id],
  );
  await here.database.query('UPDATE apps SET has_wishes = true WHERE id = $1', [app.id]);
  await here.database.query(
    `INSERT INTO reader_wishes (app_id, seq, max_notifications, window_minutes, paused_until, quiet_from, quiet_to, left_at, revision)
     VALUES ($1, 1, 3, 1440, NULL, '22:00', '07:00', NULL, 4), ($1, 2, NULL, NULL, '2999-01-01T00:00:00Z', NULL, NULL, '2026-03-01T00:00:00Z', 1)`,
    [app.id],
  );
  const condition = { field: 'category', operator: 'has', category_id: category?.id };
  await here.database.query(`INSERT INTO segments (app_id, name, rules) VALUES ($1, 'Fans', $2)`, [
    app.id,
    JSON.stringify({ match: 'all', conditions: [condition] }),
  ]);
  return app;
}

async function exported(identifier: string, given: string | null = passphrase): Promise<string[]> {
  const lines: string[] = [];
  const write = async (more: readonly string[]) => void lines.push(...more);
  const deps = { database: here.database, sealer: testSealer, write, onProgress: () => {} };
  await exportApp({ app: identifier, passphrase: given }, deps);
  return lines;
}

async function* bytesOf(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  for (let at = 0; at < bytes.length; at += 1_009) yield bytes.subarray(at, at + 1_009);
}

interface Into {
  readonly database?: Database;
  readonly passphrase?: string | null;
  readonly organization?: string;
}

async function imported(lines: readonly string[], into: Into = {}) {
  const refused: string[] = [];
  const request = { organization: 'New Home', passphrase, ...into };
  const file = await importLines(readRecords(bytesOf(lines), 'ndjson', subscriptionRules), request, {
    database: into.database ?? there.database,
    sealer: otherSealer,
    policy,
    base: 'https://push.example.com',
    onRefusal: ({ reason }) => void refused.push(reason),
    onProgress: () => {},
  });
  return { ...file, refused };
}

const rowsOf = (database: Database, appId: AppId) =>
  database.query<Record<string, unknown>>(
    `SELECT seq, endpoint, p256dh, auth, secret_hash, status, user_identity, tags, external_ids, country, device_type,
       (SELECT name FROM time_zones WHERE id = time_zone_id) AS time_zone, language, browser_name, created_at, last_seen_at, unsubscribed_at, vapid_key_number
     FROM subscriptions WHERE app_id = $1 ORDER BY seq`,
    [appId],
  );

const settingsOf = async (database: Database, appId: AppId) =>
  (
    await database.query(
      `SELECT name, site_domain, time_zone, frequency_cap_max_notifications, frequency_cap_window_minutes,
         default_query_params, vapid_public_key, next_seq, subscriber_count, active_subscriber_count
       FROM apps WHERE id = $1`,
      [appId],
    )
  )[0];

const wishesOf = (database: Database, appId: AppId) =>
  database.query(
    `SELECT seq, max_notifications, window_minutes, paused_until, quiet_from, quiet_to, left_at, revision, has_wishes
     FROM reader_wishes JOIN apps ON apps.id = app_id WHERE app_id = $1 ORDER BY seq`,
    [appId],
  );

describe('an app that is exported and imported', () => {
  it('is the same elsewhere, and its subscribers can be sent to with the same key', async () => {
    const app = await buildFullApp();
    const { app: moved, counts, refused } = await imported(await exported(app.identifier));
    expect([counts, refused]).toEqual([{ lines: BROWSERS, inserted: BROWSERS, updated: 0, refused: 0 }, []]);
    expect(moved).toMatchObject({ identifier: app.identifier, made: true });
    expect(await settingsOf(there.database, moved.id)).toEqual(await settingsOf(here.database, app.id));
    expect(await rowsOf(there.database, moved.id)).toEqual(await rowsOf(here.database, app.id));
    const wishes = await wishesOf(there.database, moved.id);
    expect(wishes).toHaveLength(2);
    expect(wishes).toEqual(await wishesOf(here.database, app.id));
    const [category] = await there.database.query<{ id: number; chosen: number }>(
      `SELECT id, (SELECT count(*) FROM subscriptions AS s
         WHERE s.app_id = $1 AND delivery_categories.id = ANY(category_ids)) AS chosen
       FROM delivery_categories WHERE app_id = $1`,
      [moved.id],
    );
    expect(category?.chosen).toBe(BROWSERS);
    const segments = await there.database.query(`SELECT name, rules FROM segments WHERE app_id = $1`, [
      moved.id,
    ]);
    const condition = { field: 'category', operator: 'has', category_id: category?.id };
    expect(segments).toEqual([{ name: 'Fans', rules: { match: 'all', conditions: [condition] } }]);

    const [key] = await there.database.query<{ publicKey: string; sealed: Buffer }>(
      `SELECT vapid_public_key AS "publicKey", vapid_private_key_sealed AS sealed FROM apps WHERE id = $1`,
      [moved.id],
    );
    const privateKey = otherSealer.open(key?.sealed ?? Buffer.alloc(0), moved.identifier).toString();
    const vapid = { publicKey: key?.publicKey ?? '', privateKey, subject: 'mailto:push@news.example' };
    const { rows: targets } = await createBlockStore(there.database).readTargets(moved.id, 0);
    const sender = createRealSender(push.ca);
    const sent = await sender.sendBlock(makeTask([], { targets, wanted: everyBit(), vapid }));
    await sender.close();
    expect(new Set([...sent.outcomes].map((code) => outcomes[code]))).toEqual(new Set(['accepted']));
    // The double has checked the signatures against the key that browsers were bound to, and read each message.
    expect(await push.ledger()).toMatchObject({ distinct: BROWSERS - 4, duplicates: 0 });
  });

  it('comes twice without doubling, and goes on where it was stopped', async () => {
    const app = await buildFullApp();
    const lines = await exported(app.identifier);
    const cutOff = imported(lines.slice(0, 20));
    await expect(cutOff).rejects.toThrow('the file is truncated');
    const [first, second] = [await imported(lines), await imported(lines)];
    expect(first.counts).toMatchObject({ lines: BROWSERS, inserted: BROWSERS - 17, updated: 17 });
    expect(second.counts).toMatchObject({ inserted: 0, updated: BROWSERS });
    expect([first.app.made, second.app.id]).toEqual([false, first.app.id]);
    expect(await settingsOf(there.database, first.app.id)).toEqual(await settingsOf(here.database, app.id));
    const { length } = await there.database.query(`SELECT 1 FROM segments WHERE app_id = $1`, [first.app.id]);
    expect(length).toBe(1);
  });

  it('asks its readers and greets new ones as it did, in the same round, and keeps what was set since', async () => {
    const app = await buildFullApp();
    const before = `SELECT round, settings, enabled, title, body, url, image_url, icon_url, delay_minutes
      FROM prompts JOIN welcome_templates USING (app_id) WHERE app_id = $1`;
    const settings = {
      ...{
        enabled: true,
        variants: [
          { kind: 'slide-down', categories: true },
          { kind: 'bar', place: 'top' },
        ],
      },
      ...{
        pages: 2,
        seconds: 10,
        scroll_percent: 25,
        show_on: ['/news/*'],
        hide_on: [],
        ask_again_after_days: 30,
        win_back: true,
      },
    };
    await here.database.query(`INSERT INTO prompts (app_id, round, settings) VALUES ($1, 4, $2)`, [
      app.id,
      JSON.stringify(settings),
    ]);
    await here.database.query(
      `INSERT INTO welcome_templates (app_id, enabled, title, body, url, image_url, delay_minutes, icon_url)
       VALUES ($1, true, 'Thank you', 'For coming', 'https://news.example/', 'https://push.example/i/1.png', 5,
         'https://push.example/i/2.png')`,
      [app.id],
    );
    const lines = await exported(app.identifier);
    const { app: moved, refused } = await imported(lines);
    expect(refused).toEqual([]);
    const found = await there.database.query(before, [moved.id]);
    expect(found).toHaveLength(1);
    expect(found).toEqual(await here.database.query(before, [app.id]));
    await there.database.query(`UPDATE welcome_templates SET title = 'Since' WHERE app_id = $1`, [moved.id]);
    await imported(lines);
    expect(await there.database.query(before, [moved.id])).toMatchObject([{ round: 4, title: 'Since' }]);
    // Nobody of the file waits for a welcome.
    expect(await there.database.query('SELECT FROM welcomes WHERE app_id = $1', [moved.id])).toEqual([]);
  });

  it('is read as the release before wrote it: version 1, without prompts and welcome', async () => {
    const { identifier } = await buildFullApp();
    const [header = '', ...rest] = await exported(identifier);
    const { counts, refused } = await imported([header.replace('"version":3', '"version":1'), ...rest]);
    expect([counts.inserted, refused]).toEqual([BROWSERS, []]);
  });

  it('leaves a browser that came by itself since, by its secret, as it is', async () => {
    const { identifier } = await buildFullApp();
    const lines = await exported(identifier);
    const { app } = await imported(lines);
    await there.database.query(
      `UPDATE subscriptions SET endpoint = 'https://push.example.com/moved' WHERE app_id = $1 AND seq = 0`,
      [app.id],
    );
    const again = await imported(lines);
    expect([again.counts.inserted, again.refused]).toEqual([0, []]);
    const rows = await rowsOf(there.database, app.id);
    expect([rows.length, rows[0]?.endpoint]).toEqual([BROWSERS, 'https://push.example.com/moved']);
  });

  it('refuses a line whose secret_hash is none', async () => {
    const { identifier } = await buildFullApp();
    const lines = (await exported(identifier)).map((line) =>
      line.replace(/"secret_hash":"[^"]*"/, '"secret_hash":"guess"'),
    );
    const { refused } = await imported(lines);
    expect(refused).toEqual(
      Array.from({ length: BROWSERS / 2 }, () => 'secret_hash is not a SHA-256 in base64'),
    );
  });

  it('twice at once makes one app', async () => {
    const app = await buildFullApp();
    const lines = await exported(app.identifier);
    const both = await Promise.all([imported(lines), imported(lines)]);
    expect(both[0].app.id).toBe(both[1].app.id);
    expect(both[0].counts.inserted + both[1].counts.inserted).toBe(BROWSERS);
    expect(await settingsOf(there.database, both[0].app.id)).toMatchObject({ subscriber_count: BROWSERS });
  });

  it('gets another identifier if its own is taken, and never touches another organization’s app', async () => {
    const app = await buildFullApp();
    const lines = await exported(app.identifier);
    const first = await imported(lines);
    const second = await imported(lines, { organization: 'Another' });
    expect(second.app.identifier).not.toBe(first.app.identifier);
    expect([second.app.made, second.counts.inserted]).toEqual([true, BROWSERS]);
    await expect(imported(lines, { organization: 'Nobody' })).rejects.toThrow('there is no organization');
  });

  it('takes a rotation along', async () => {
    const app = await buildApp(here.database);
    await buildSubscriptions(here.database, app.id, 6);
    await here.database.query(
      `INSERT INTO vapid_keys (app_id, number, public_key, private_key_sealed, created_at)
       SELECT id, 1, vapid_public_key, vapid_private_key_sealed, now() FROM apps WHERE id = $1`,
      [app.id],
    );
    const other = await buildApp(here.database);
    await here.database.query(
      `UPDATE apps SET vapid_key_number = 2, vapid_public_key = $2, vapid_private_key_sealed = $3 WHERE id = $1`,
      [
        app.id,
        other.vapidPublicKey,
        testSealer.seal(await privateKeyOf(other.id, other.identifier), app.identifier),
      ],
    );
    await here.database.query(
      `UPDATE subscriptions SET vapid_key_number = 2, p256dh = $2 WHERE app_id = $1 AND seq >= 4`,
      [app.id, validPoint],
    );
    await here.database.query(`UPDATE subscriptions SET p256dh = $2 WHERE app_id = $1`, [app.id, validPoint]);
    const { app: moved, refused } = await imported(await exported(app.identifier));
    expect(refused).toEqual([]);
    const numbers = await there.database.query<{ number: number }>(
      `SELECT vapid_key_number AS number FROM subscriptions WHERE app_id = $1 ORDER BY seq`,
      [moved.id],
    );
    expect(numbers.map(({ number }) => number)).toEqual([1, 1, 1, 1, 2, 2]);
    const [former] = await there.database.query<{ public_key: string; state: string }>(
      `SELECT public_key, state FROM vapid_keys WHERE app_id = $1`,
      [moved.id],
    );
    expect(former).toEqual({ public_key: app.vapidPublicKey, state: 'retiring' });
  });
});

const validPoint = Buffer.from(
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  'base64url',
);

async function privateKeyOf(appId: AppId, identifier: string): Promise<string> {
  const [row] = await here.database.query<{ sealed: Buffer }>(
    `SELECT vapid_private_key_sealed AS sealed FROM apps WHERE id = $1`,
    [appId],
  );
  return testSealer.open(row?.sealed ?? Buffer.alloc(0), identifier).toString();
}

describe('the keys in the file', () => {
  it('are under the passphrase, or plain where that was asked for', async () => {
    const app = await buildFullApp();
    const privateKey = await privateKeyOf(app.id, app.identifier);
    const locked = await exported(app.identifier);
    expect(locked.join('\n')).not.toContain(privateKey);
    await expect(imported(locked, { passphrase: null })).rejects.toThrow('are encrypted');
    await expect(imported(locked, { passphrase: 'another one' })).rejects.toThrow('the passphrase is wrong');
    const plain = await exported(app.identifier, null);
    expect(plain[0]).toContain(privateKey);
    expect((await imported(plain, { passphrase: null })).counts.inserted).toBe(BROWSERS);
  });

  it('are refused where they are not a pair', async () => {
    const [first, second] = [await buildApp(here.database), await buildApp(here.database)];
    const [header = ''] = await exported(first.identifier, null);
    const other = await privateKeyOf(second.id, second.identifier);
    const wrong = header.replace(await privateKeyOf(first.id, first.identifier), other);
    await expect(imported([wrong])).rejects.toThrow('the file has an invalid key pair');
  });

  it.each([
    ['no app', '{"hello":1}', 'is not an app as'],
    ['another version', '{"broadside":"app","version":4}', 'version 4'],
    ['no JSON', 'hello', 'is not an app as'],
  ])('come in a file that is one: not %s', async (_, line, words) => {
    await expect(imported([line])).rejects.toThrow(words);
  });
});

describe('a publisher’s own key pair', () => {
  it('is taken over by an app without subscriptions, and by no other', async () => {
    const [app, source] = [await buildApp(here.database), await buildApp(here.database)];
    const text = await privateKeyOf(source.id, source.identifier);
    const pair = parseVapidPair(`${source.vapidPublicKey}\n`, text);
    if (pair === null) throw new Error('no pair');
    await adoptKeys(here.database, testSealer, app.identifier, pair);
    expect(await privateKeyOf(app.id, app.identifier)).toBe(text);
    await buildSubscriptions(here.database, app.id, 1);
    await expect(adoptKeys(here.database, testSealer, app.identifier, pair)).rejects.toThrow(
      'has subscriptions',
    );
    await expect(adoptKeys(here.database, testSealer, 'nobody', pair)).rejects.toThrow('there is no app');
    expect(parseVapidPair(app.vapidPublicKey, text)).toBeNull();
    expect(parseVapidPair('', '')).toBeNull();
  });
});
