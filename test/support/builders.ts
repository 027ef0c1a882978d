import { randomBytes } from 'node:crypto';
import webpush from 'web-push';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createSealer } from '../../engine/adapters/postgres/sealed-secret.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';

/** One builder a noun: rows as the API would have written them, with what a test does not care about filled in. */
export const testMasterKey = Buffer.alloc(32, 7);
export const testSealer = createSealer(testMasterKey);

export interface BuiltApp {
  readonly id: AppId;
  readonly identifier: string;
  readonly organizationId: number;
  readonly vapidPublicKey: string;
}

/** @param given without an organization the app has one of its own. */
export async function buildApp(
  database: Database,
  given: { subscribers?: number; organizationId?: number } = {},
): Promise<BuiltApp> {
  const identifier = `app-${randomBytes(4).toString('hex')}`;
  const keys = webpush.generateVAPIDKeys();
  const organizationId = given.organizationId ?? (await buildOrganization(database));
  const [app] = await database.query<{ id: AppId }>(
    `INSERT INTO apps (organization_id, identifier, name, site_domain, vapid_public_key, vapid_private_key_sealed)
     VALUES ($1, $2, 'Daily Example', 'https://news.example', $3, $4) RETURNING id`,
    [organizationId, identifier, keys.publicKey, testSealer.seal(keys.privateKey, identifier)],
  );
  if (app === undefined) throw new Error('no app was made');
  if (given.subscribers) await buildSubscriptions(database, app.id, given.subscribers);
  return { id: app.id, identifier, organizationId, vapidPublicKey: keys.publicKey };
}

async function buildOrganization(database: Database): Promise<number> {
  const [organization] = await database.query<{ id: number }>(
    `INSERT INTO organizations (name) VALUES ('Daily Example') RETURNING id`,
  );
  return organization?.id ?? 0;
}

/**
 * Subscriptions with well-formed endpoints and keys that no one can decrypt with.
 * @param apart from one `seq` to the next: many blocks of few subscriptions are built in a moment.
 */
export async function buildSubscriptions(
  database: Database,
  appId: AppId,
  count: number,
  apart = 1,
): Promise<void> {
  await database.query(
    `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, user_identity)
     SELECT $1, a.next_seq + n, 'https://push.example/' || (a.next_seq + n), decode(repeat('04', 65), 'hex'),
       decode(repeat('0a', 16), 'hex'), 'user-' || (a.next_seq + n)
     FROM apps a, generate_series(0, $2::integer * $3::integer - 1, $3) n WHERE a.id = $1`,
    [appId, count, apart],
  );
  await database.query(
    `UPDATE apps SET next_seq = next_seq + $2::integer * $3::integer, subscriber_count = subscriber_count + $2,
       active_subscriber_count = active_subscriber_count + $2 WHERE id = $1`,
    [appId, count, apart],
  );
}

export interface DeliveryGiven {
  readonly status?: string;
  readonly ttlSeconds?: number;
  readonly scheduledAt?: Date;
  readonly lane?: 'bulk' | 'breaking';
}

export async function buildDelivery(
  database: Database,
  appId: AppId,
  given: DeliveryGiven = {},
): Promise<DeliveryId> {
  const identifier = `dlv_${randomBytes(8).toString('hex')}`;
  const plaintext = Buffer.from(JSON.stringify({ web_push: 8030, notification: { title: 'Hello' } }));
  const [delivery] = await database.query<{ id: DeliveryId }>(
    `INSERT INTO deliveries (app_id, identifier, name, title, body, url, status, ttl_seconds, plaintext, scheduled_at, lane)
     VALUES ($1, $2, 'Morning', 'Hello', 'World', 'https://news.example/1', $3, $4, $5, $6, $7) RETURNING id`,
    [
      appId,
      identifier,
      given.status ?? 'pending',
      given.ttlSeconds ?? 3_600,
      plaintext,
      given.scheduledAt ?? null,
      given.lane ?? 'bulk',
    ],
  );
  if (delivery === undefined) throw new Error('no delivery was made');
  return delivery.id;
}

export interface DeliveryRow {
  readonly status: string;
  readonly total_subscribers: number;
  readonly capped_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
  readonly error_message: string | null;
  readonly open_shards: number;
}

export async function readDelivery(database: Database, id: DeliveryId): Promise<DeliveryRow> {
  const [row] = await database.query<DeliveryRow>('SELECT * FROM deliveries WHERE id = $1', [id]);
  if (row === undefined) throw new Error(`no delivery ${id}`);
  return row;
}

interface AcceptedGiven {
  /** Default: the subscriptions it was accepted for. */
  readonly audience?: readonly number[];
  readonly settled?: readonly number[];
  /** Of the shard. */
  readonly state?: 'running' | 'waiting' | 'settled';
}

const bitsOf = (seqs: readonly number[]): Buffer => {
  const bits = Buffer.alloc(128);
  for (const seq of seqs) bits[seq >> 3] = (bits[seq >> 3] ?? 0) | (1 << (seq & 7));
  return bits;
};

/** A delivery that push services accepted for these `seq`, all of them in the first block. */
export async function buildAccepted(
  database: Database,
  appId: AppId,
  accepted: readonly number[],
  given: AcceptedGiven = {},
): Promise<{ readonly id: DeliveryId; readonly identifier: string }> {
  const { audience = accepted, settled = accepted, state = 'settled' } = given;
  const id = await buildDelivery(database, appId, { status: 'success' });
  await acceptFor(database, id, accepted, { audience, settled, state });
  const [row] = await database.query<{ identifier: string }>(
    `SELECT identifier FROM deliveries WHERE id = $1`,
    [id],
  );
  return { id, identifier: row?.identifier ?? '' };
}

/** As if the delivery's one block had run. */
export async function acceptFor(
  database: Database,
  deliveryId: number,
  accepted: readonly number[],
  { audience = accepted, settled = accepted, state = 'settled' }: AcceptedGiven = {},
): Promise<void> {
  await database.query(
    `WITH shard AS (
       INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state)
       SELECT id, app_id, 0, '{0}', 1024, $5 FROM deliveries
       WHERE id = $1 RETURNING id, app_id, delivery_id
     )
     INSERT INTO blocks (app_id, delivery_id, block, shard_id, audience, accepted, settled, slots_at)
     SELECT app_id, delivery_id, 0, id, $2, $3, $4, '-infinity' FROM shard`,
    [deliveryId, bitsOf(audience), bitsOf(accepted), bitsOf(settled), state],
  );
}
