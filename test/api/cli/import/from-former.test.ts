// tier: postgres
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { createVapidKeys } from '../../../../api/client/vapid-keys/rotate-key.ts';
import { toId } from '../../../../engine/contract/ids.ts';
import { buildSubscriptions, testSealer } from '../../../support/builders.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';
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
    ['of no bytes', { ...pair, privateKey: 'A' }, 'no base64url of 32 bytes'],
    [
      'of 33 bytes',
      { ...pair, privateKey: Buffer.alloc(33, 1).toString('base64url') },
      'no base64url of 32 bytes',
    ],
    ['no scalar', { ...pair, privateKey: Buffer.alloc(32).toString('base64url') }, 'none of P-256'],
    ['half of it', { publicKey: pair.publicKey }, 'no JSON object with publicKey and privateKey'],
  ])('is checked before the first line: %s', async (_, given, words) => {
    await writeFile(join(here.folder, 'old.json'), JSON.stringify(given));
    const { code, err } = await from(line, 'dump.ndjson', 'webpush');
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err).not.toContain(pair.privateKey);
    expect(await rows()).toEqual([]);
  });

  it('is sealed under the master key, and noted in the audit log', async () => {
    await from(line, 'dump.ndjson', 'webpush');
    const [row] = await here.test.database.query<{ key: string; sealed: Buffer }>(
      `SELECT vapid_public_key AS key, vapid_private_key_sealed AS sealed FROM apps WHERE id = $1`,
      [here.app.id],
    );
    expect(row?.key).toBe(pair.publicKey);
    expect(row?.sealed.includes(Buffer.from(pair.privateKey))).toBe(false);
    expect(testSealer.open(row?.sealed ?? Buffer.alloc(0), here.app.identifier).toString()).toBe(
      pair.privateKey,
    );
    const noted = await here.test.database.query(`SELECT action, detail FROM audit_log WHERE app_id = $1`, [
      here.app.id,
    ]);
    const key = createHash('sha256')
      .update(Buffer.from(pair.publicKey, 'base64url'))
      .digest('hex')
      .slice(0, 16);
    expect(noted).toEqual([{ action: 'vapid-key.adopted', detail: { key } }]);
  });

  it('stands beside the app’s own where that has subscribers, whose key stays; a rotation later clashes with none', async () => {
    await buildSubscriptions(here.test.database, here.app.id, 2);
    const { summary } = await from(line, 'dump.ndjson', 'webpush');
    expect(summary.vapid).toMatchObject({ state: 'retiring', is_new: true });
    const { publicKey: own } = { publicKey: here.app.vapidPublicKey };
    expect((await rows()).map(({ public_key: key }) => key)).toEqual([own, own, pair.publicKey]);
    const again = await from(line, 'dump.ndjson', 'webpush');
    expect(again.summary).toMatchObject({ updated: 1, vapid: { state: 'retiring', is_new: false } });

    await writeFile(join(here.folder, 'old.json'), JSON.stringify(other));
    const third = await from(line, 'dump.ndjson', 'webpush');
    expect(third.code).toBe(1);
    expect(third.err).toContain('can have no third. End that one');

    await here.test.database.query(
      `UPDATE vapid_keys SET state = 'retired', private_key_sealed = NULL WHERE app_id = $1`,
      [here.app.id],
    );
    const organizationId = toId<never>(here.app.organizationId);
    const actor = { organizationId, userId: null, tokenId: null, via: 'command', requestId: null } as const;
    const rotated = await createVapidKeys(here.test.database, testSealer).rotate({
      ...{ organizationId, identifier: here.app.identifier, actor },
    });
    expect(rotated.kind).toBe('rotated');
    const numbers = await here.test.database.query<{ number: number }>(
      `SELECT number FROM vapid_keys WHERE app_id = $1 UNION ALL SELECT vapid_key_number FROM apps WHERE id = $1`,
      [here.app.id],
    );
    expect(new Set(numbers.map(({ number }) => number)).size).toBe(3);

    // Ended for this app: what is bound to it would come in to be unsubscribed.
    await writeFile(join(here.folder, 'old.json'), JSON.stringify(pair));
    expect((await from(line, 'dump.ndjson', 'webpush')).err).toContain('this key pair was ended');
  });

  it('goes to no app of another organization', async () => {
    const { code, err } = await from(line, 'dump.ndjson', 'webpush', '--organization', 'Somebody Else');
    expect(code).toBe(1);
    expect(err).toContain(`there is no app "${here.app.identifier}" in the organization "Somebody Else"`);
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
      'endpoint at 127.0.0.1 is on no known push service (PUSH_SERVICE_HOSTS names them)',
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
    return runCliHere(['import', 'worker', ...given, ...args], { cwd: here.folder, env: {} });
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
