// tier: postgres
import { createCipheriv, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  countSealed,
  countToReseal,
  noteMasterKey,
  proofsUntil,
  resealAll,
} from '../../../../api/cli/master-key/reseal.ts';
import { createShardStore } from '../../../../engine/adapters/postgres/dispatch/shard-store.ts';
import { createSealer, masterKeyId } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import { createDeliveryProofs } from '../../../../engine/notification/delivery-proof.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';

const APPS = 230;
const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const before = createSealer(oldKey);
const between = createSealer(newKey, [oldKey]);
const after = createSealer(newKey);

/** As values were sealed before keys had ids. */
function sealWithoutId(plain: string, context: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', oldKey, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

describe('a change of the master key', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
    await test.database.query(`INSERT INTO organizations (name) VALUES ('Daily Example')`);
    const names = Array.from({ length: APPS }, (_, n) => `app-${n}`);
    const seal = (name: string, n: number) =>
      n % 3 === 0 ? sealWithoutId(name, name) : before.seal(name, name);
    await test.database.query(
      `INSERT INTO apps (organization_id, identifier, name, site_domain, vapid_public_key, vapid_private_key_sealed)
       SELECT 1, name, name, 'https://news.example', '', sealed FROM unnest($1::text[], $2::bytea[]) AS a (name, sealed)`,
      [names, names.map(seal)],
    );
    await test.database.query(
      `INSERT INTO vapid_keys (app_id, number, public_key, private_key_sealed, state, created_at)
       SELECT id, 1, '', sealed, state, now() FROM apps
         JOIN unnest($1::text[], $2::bytea[], $3::text[]) AS k (name, sealed, state) USING (name)`,
      [
        ['app-1', 'app-2', 'app-3'],
        [before.seal('former-1', 'app-1'), sealWithoutId('former-2', 'app-2'), null],
        ['retiring', 'ended', 'retired'],
      ],
    );
  });
  afterEach(() => test.drop());

  /** Each secret opens under the new key alone, with its old value. */
  const expectAllNew = async () => {
    const rows = await test.database.query<{ identifier: string; sealed: Buffer; plain: string }>(
      `SELECT identifier, vapid_private_key_sealed AS sealed, identifier AS plain FROM apps UNION ALL
       SELECT identifier, private_key_sealed, 'former-' || right(identifier, 1) FROM vapid_keys
       JOIN apps ON apps.id = app_id WHERE private_key_sealed IS NOT NULL`,
    );
    expect(rows).toHaveLength(APPS + 2);
    for (const { identifier, sealed, plain } of rows)
      expect(after.open(sealed, identifier).toString()).toBe(plain);
    expect(await countSealed(test.database)).toEqual([{ header: after.currentHeader, values: APPS + 2 }]);
  };

  it('seals everything anew, in batches, and finds nothing to do the second time', async () => {
    expect(await countToReseal(test.database, between)).toBe(APPS + 2);
    const progress: number[] = [];
    expect(await resealAll(test.database, between, (done) => progress.push(done))).toBe(APPS + 2);
    expect(progress).toEqual([100, 200, 230, 232]);
    await expectAllNew();
    expect(await countToReseal(test.database, between)).toBe(0);
    expect(await resealAll(test.database, between, () => {})).toBe(0);
  });

  it('goes on where it was stopped, and every value opens all the while', async () => {
    const stop = () => {
      throw new Error('stopped');
    };
    await expect(resealAll(test.database, between, stop)).rejects.toThrow('stopped');
    expect(await countToReseal(test.database, between)).toBe(APPS + 2 - 100);
    const rows = await test.database.query<{ identifier: string; sealed: Buffer }>(
      `SELECT identifier, vapid_private_key_sealed AS sealed FROM apps`,
    );
    for (const { identifier, sealed } of rows)
      expect(between.open(sealed, identifier).toString()).toBe(identifier);
    expect(await resealAll(test.database, between, () => {})).toBe(APPS + 2 - 100);
    await expectAllNew();
  });

  it('by two at once is done once', async () => {
    const both = await Promise.all([1, 2].map(() => resealAll(test.database, between, () => {})));
    expect((both[0] ?? 0) + (both[1] ?? 0)).toBe(APPS + 2);
    await expectAllNew();
  });

  it('does not touch what it cannot open, and says which', async () => {
    const stranger = createSealer(newKey, [Buffer.alloc(32, 5)]);
    await expect(resealAll(test.database, stranger, () => {})).rejects.toThrow(
      'apps 1 (app-0) does not open',
    );
    expect(await countToReseal(test.database, between)).toBe(APPS + 2);
  });

  it('leaves an engine that knows both keys able to lease, before and after', async () => {
    const [row] = await test.database.query<{ id: number }>(
      `WITH delivery AS (
         INSERT INTO deliveries (app_id, identifier, name, title, body, url, status, ttl_seconds, plaintext, open_shards)
         VALUES (2, 'dlv', 'a', 'a', 'a', 'https://a.example', 'processing', 60, '{}', 1) RETURNING id, app_id)
       INSERT INTO shards (delivery_id, app_id, number, blocks, state, planned_targets, due_at)
       SELECT id, app_id, 0, '{0}', 'released', 1, now() FROM delivery RETURNING id`,
    );
    const shards = createShardStore(test.database, between);
    const lease = () => shards.lease(row?.id as never, 'engine', 0);
    expect(await lease()).toMatchObject({ vapidPrivateKey: 'app-1' });
    await resealAll(test.database, between, () => {});
    expect(await lease()).toMatchObject({
      vapidPrivateKey: 'app-1',
      formerVapidKeys: [{ number: 1, privateKey: 'former-1' }],
    });
  });

  it('is what the command does: it shows the progress, and until when the old key is needed', async () => {
    const text = (key: Buffer) => key.toString('base64');
    const env = { DATABASE_URL: test.url, MASTER_KEY: text(newKey), MASTER_KEYS_OLD: text(oldKey) };
    const run = (...args: string[]) => runCliHere(['master-key', ...args], { cwd: '/tmp', env });
    const first = await run('status', '--json');
    expect(JSON.parse(first.out)).toMatchObject({
      key_id: masterKeyId(newKey).toString('hex'),
      old_keys_needed_until: null,
    });
    const rotated = await run('rotate', '--json');
    expect(rotated.err).toContain('232 of 232 resealed');
    const answer = JSON.parse(rotated.out);
    expect(answer).toMatchObject({ resealed: APPS + 2, sealed: [{ state: 'current', values: APPS + 2 }] });
    const days = (Date.parse(answer.old_keys_needed_until) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(35);
    await expectAllNew();
    for (const run of [first, rotated]) {
      for (const key of [oldKey, newKey]) expect(run.out + run.err).not.toContain(text(key));
    }
  });

  it('keeps the date of the first rotation, and waits for deliveries scheduled before it', async () => {
    const id = masterKeyId(newKey);
    await noteMasterKey(test.database, id);
    await test.database.query(`UPDATE master_keys SET since = '2026-01-10T00:00:00Z'`);
    await noteMasterKey(test.database, id);
    expect(await proofsUntil(test.database, id)).toEqual(new Date('2026-02-14T00:00:00Z'));
    await test.database.query(
      `INSERT INTO deliveries (app_id, identifier, name, title, body, url, status, ttl_seconds, plaintext, created_at, scheduled_at)
       VALUES (1, 'dlv', 'a', 'a', 'a', 'https://a.example', 'scheduled', 60, '{}', '2026-01-09', '2026-03-01T00:00:00Z')`,
    );
    expect(await proofsUntil(test.database, id)).toEqual(new Date('2026-04-05T00:00:00Z'));
    expect(await proofsUntil(test.database, masterKeyId(oldKey))).toBeNull();
  });
});

describe('a proof of a delivery', () => {
  it('made under the key before is accepted as long as that key is known, and new ones are made under the new', () => {
    const proof = createDeliveryProofs(oldKey).prove('app-1', 'dlv_1');
    const proofs = createDeliveryProofs(newKey, [oldKey]);
    expect(proofs.isProof(proof, 'app-1', 'dlv_1')).toBe(true);
    expect(proofs.isProof(proof, 'app-2', 'dlv_1')).toBe(false);
    expect(createDeliveryProofs(newKey).isProof(proof, 'app-1', 'dlv_1')).toBe(false);
    expect(proofs.prove('app-1', 'dlv_1')).toBe(createDeliveryProofs(newKey).prove('app-1', 'dlv_1'));
  });
});
