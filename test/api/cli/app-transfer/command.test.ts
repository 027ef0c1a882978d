// tier: postgres
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  addMasterKey,
  openDataFolder,
  readFolderKeys,
  readOrMakeMasterKey,
} from '../../../../api/up/data-folder.ts';
import { createSealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import { buildApp, buildSubscriptions, testMasterKey } from '../../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';
import { newKeys } from '../../support.ts';

const [folder, here, there] = await Promise.all([
  mkdtemp(join(tmpdir(), 'app-transfer-')),
  createTestDatabase(),
  createTestDatabase(),
]);
await there.database.query(`INSERT INTO organizations (name) VALUES ('New Home')`);
const app = await buildApp(here.database);
await buildSubscriptions(here.database, app.id, 5);
await here.database.query(`UPDATE subscriptions SET p256dh = $1`, [
  Buffer.from(newKeys().p256dh, 'base64url'),
]);
await writeFile(join(folder, 'passphrase'), 'correct horse battery\n');
afterAll(async () => {
  await Promise.all([here.drop(), there.drop(), rm(folder, { recursive: true })]);
});

const otherKey = Buffer.alloc(32, 9);
const apps = (test: TestDatabase, key: Buffer, ...args: string[]) =>
  runCliHere(['apps', ...args], {
    cwd: folder,
    env: {
      DATABASE_URL: test.url,
      MASTER_KEY: key.toString('base64'),
      PUSH_SERVICE_HOSTS: 'push.example',
    },
  });

describe('broadside apps', () => {
  it('export and import move an app from one installation to another, refusing unsafe options', async () => {
    const words = ['export', '--app', app.identifier, '--out', 'app.ndjson'];
    const unsaid = await apps(here, testMasterKey, ...words);
    expect([unsaid.code, unsaid.err]).toEqual([1, expect.stringContaining('--plain-keys')]);
    const passphrase = ['--passphrase-file', 'passphrase'];
    const done = await apps(here, testMasterKey, ...words, ...passphrase);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('5 subscriptions of') });
    const { mode } = await stat(join(folder, 'app.ndjson'));
    expect(mode & 0o077).toBe(0);
    expect(await readdir(folder)).not.toContain('app.ndjson.part');
    const again = await apps(here, testMasterKey, ...words, ...passphrase);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is there already')]);

    const into = ['import', 'app.ndjson', '--organization', 'New Home', '--json'];
    const moved = await apps(there, otherKey, ...into, ...passphrase);
    expect(moved.code, moved.err).toBe(0);
    expect(JSON.parse(moved.out)).toMatchObject({ app: app.identifier, lines: 5, inserted: 5, refused: 0 });
    const [row] = await there.database.query<{ key: string; sealed: Buffer }>(
      `SELECT vapid_public_key AS key, vapid_private_key_sealed AS sealed FROM apps`,
    );
    expect(row?.key).toBe(app.vapidPublicKey);
    expect(createSealer(otherKey).open(row?.sealed ?? Buffer.alloc(0), app.identifier)).toHaveLength(43);
  });

  it('adopt-keys reads the two halves from files', async () => {
    const target = await buildApp(here.database);
    const source = await buildApp(here.database);
    const [row] = await here.database.query<{ sealed: Buffer }>(
      `SELECT vapid_private_key_sealed AS sealed FROM apps WHERE id = $1`,
      [source.id],
    );
    const privateKey = createSealer(testMasterKey).open(row?.sealed ?? Buffer.alloc(0), source.identifier);
    await writeFile(join(folder, 'public'), source.vapidPublicKey);
    await writeFile(join(folder, 'private'), `${privateKey.toString()}\n`);
    const files = ['--vapid-public', 'public', '--vapid-private', 'private'];
    const done = await apps(here, testMasterKey, 'adopt-keys', '--app', target.identifier, ...files);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining(source.vapidPublicKey) });
    expect(done.out + done.err).not.toContain(privateKey.toString());
    const swapped = ['--vapid-public', 'private', '--vapid-private', 'public'];
    const wrong = await apps(here, testMasterKey, 'adopt-keys', '--app', target.identifier, ...swapped);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('do not contain a pair') });
  });
});

describe('the data folder', () => {
  it('keeps the keys before its current one, readable by nobody else', async () => {
    const data = await openDataFolder(join(folder, 'data'));
    const first = await readOrMakeMasterKey(data);
    const second = await addMasterKey(data.path);
    const third = await addMasterKey(data.path);
    expect(await readFolderKeys(data.path)).toEqual({ current: third, old: [first, second] });
    expect(await readOrMakeMasterKey(data)).toBe(third);
    for (const name of ['master.key', 'master.keys-old'])
      expect((await stat(join(data.path, name))).mode & 0o077).toBe(0);
    expect(await readFile(join(data.path, 'master.key'), 'utf8')).toBe(`${third}\n`);
    expect(await readFolderKeys(folder)).toBeNull();
  });
});
