import type { NewDelivery } from '../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import { storeImage } from '../../../engine/adapters/postgres/deliveries/store-image.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { iconHashesOf } from '../../../engine/contract/icon-hashes.ts';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import type { Image } from '../../../engine/notification/images/check-image.ts';
import type { WelcomeBody } from './schema.ts';

export interface StoredWelcome {
  readonly enabled: boolean;
  readonly title: string | null;
  readonly body: string | null;
  readonly url: string | null;
  readonly image_url: string | null;
  readonly icon_url: string | null;
  readonly delay_minutes: number;
  readonly updated_at: Date | null;
}

const unset: StoredWelcome = {
  enabled: false,
  title: null,
  body: null,
  url: null,
  image_url: null,
  icon_url: null,
  delay_minutes: 0,
  updated_at: null,
};

const columns = 'enabled, title, body, url, image_url, icon_url, delay_minutes, updated_at';

export async function readWelcome(sql: Sql, appId: AppId): Promise<StoredWelcome> {
  const [row] = await sql.query<StoredWelcome>(`SELECT ${columns} FROM welcome_templates WHERE app_id = $1`, [
    appId,
  ]);
  return row ?? unset;
}

/** Its pictures, all of them to be stored. */
interface Served extends Pick<NewDelivery, 'imageHash' | 'imageUrl' | 'iconUrl'> {
  readonly images: readonly Image[];
}

/** Who waits already gets what is written here; a time that was set stays. */
export async function writeWelcome(
  sql: Sql,
  appId: AppId,
  body: WelcomeBody,
  { images, imageHash, imageUrl, iconUrl = null }: Served,
): Promise<StoredWelcome> {
  for (const image of images) await storeImage(sql, image);
  const [row] = await sql.query<StoredWelcome>(
    `INSERT INTO welcome_templates AS kept (app_id, enabled, title, body, url, image_url, image_hash, delay_minutes,
       icon_url, icon_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (app_id) DO UPDATE SET enabled = excluded.enabled, title = excluded.title, body = excluded.body,
       url = excluded.url, image_url = excluded.image_url, image_hash = excluded.image_hash,
       delay_minutes = excluded.delay_minutes, icon_url = excluded.icon_url, icon_hash = excluded.icon_hash, updated_at = now()
     RETURNING ${columns}`,
    [
      appId,
      body.enabled,
      body.title,
      body.body,
      body.url,
      imageUrl,
      imageHash,
      body.delay_minutes ?? unset.delay_minutes,
      iconUrl,
      iconHashesOf({ iconUrl })[0],
    ],
  );
  if (row === undefined) throw new Error('the welcome just written is not there');
  return row;
}

/** At most this many are counted one by one. */
const MOST_COUNTED = 10_000;

export async function countWaiting(sql: Sql, appId: AppId): Promise<number> {
  const [row] = await sql.query<{ waiting: number }>(
    `SELECT count(*)::integer AS waiting FROM (SELECT FROM welcomes WHERE app_id = $1 LIMIT ${MOST_COUNTED}) AS counted`,
    [appId],
  );
  return row?.waiting ?? 0;
}

export interface WelcomeSends {
  readonly ids: readonly DeliveryId[];
  readonly sent: number;
  readonly failed: number;
  readonly at: Date;
}

/** The app's welcomes of the last days; running ones by their shards. */
export async function readSends(sql: Sql, appId: AppId, days: number): Promise<WelcomeSends> {
  const [row] = await sql.query<{ ids: number[]; sent: number; failed: number; at: Date }>(
    `SELECT now() AS at, coalesce(array_agg(id), '{}') AS ids,
       coalesce(sum(coalesce(live.accepted, success_count)), 0)::bigint AS sent,
       coalesce(sum(coalesce(live.failed, failed_count)), 0)::bigint AS failed
     FROM deliveries LEFT JOIN LATERAL (
       SELECT sum(accepted_count) AS accepted, sum(failed_count) AS failed FROM shards WHERE delivery_id = deliveries.id
     ) AS live ON status = 'processing'
     WHERE app_id = $1 AND source_type = 'welcome' AND created_at > now() - make_interval(days => $2)`,
    [appId, days],
  );
  return {
    ids: (row?.ids ?? []).map((id) => Number(id) as DeliveryId),
    sent: Number(row?.sent ?? 0),
    failed: Number(row?.failed ?? 0),
    at: row?.at ?? new Date(),
  };
}
