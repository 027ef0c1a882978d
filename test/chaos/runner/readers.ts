import { hash } from 'node:crypto';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { PushServiceDouble } from '../../support/push-service/start.ts';
import { readerZones } from './campaigns.ts';
import type { Publisher } from './publisher.ts';
import type { World } from './world.ts';

/**
 * A reader's identity at the public API: a name that strangers may know, and the browser's secret, which they
 * do not.
 */
export const userIdOf = (reader: number): string => `reader-${reader}`;
const secretOf = (reader: number): Buffer => hash('sha256', `secret of reader ${reader}`, 'buffer');

/** What readers' own tags may say, whom every second delivery names. */
const readerTags = [
  {},
  { name: '100001' },
  { name: '{{ tag.name }} {% raw %}' },
  { name: '"\\\u2028\ud83d\ude00' },
  { name: '€'.repeat(255) },
  { name: 'ß'.repeat(255) },
];

/** Subscribers of the double `from` … as rows of the app, after those it has. */
export async function importReaders(
  database: Database,
  pushService: PushServiceDouble,
  appId: AppId,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<void> {
  const readers = Array.from({ length: count }, (_, index) => from + index);
  const rows = readers.map((reader) => pushService.subscriber(reader));
  await database.query(
    `WITH app AS (
       UPDATE apps SET next_seq = next_seq + $2, subscriber_count = subscriber_count + $2,
         active_subscriber_count = active_subscriber_count + $2 WHERE id = $1 RETURNING next_seq - $2 AS first
     )
     INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, user_identity, secret_hash, tags,
       time_zone_id)
     SELECT $1, first + n - 1, endpoint, decode(translate(p256dh, '-_', '+/') || '=', 'base64'),
       decode(translate(auth, '-_', '+/') || '==', 'base64'), user_identity, secret_hash,
       tags::jsonb, (SELECT id FROM time_zones WHERE name = zone)
     FROM app, unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::text[], $9::text[])
       WITH ORDINALITY AS given (endpoint, p256dh, auth, user_identity, secret_hash, zone, tags, n)`,
    [
      appId,
      count,
      rows.map(({ endpoint }) => endpoint),
      rows.map(({ p256dh }) => p256dh),
      rows.map(({ auth }) => auth),
      readers.map(userIdOf),
      readers.map((reader) => hash('sha256', secretOf(reader), 'buffer')),
      readers.map((reader) => readerZones[reader % readerZones.length]),
      readers.map((reader) => JSON.stringify(readerTags[reader % readerTags.length])),
    ],
  );
}

export interface ReaderBook {
  /** Changes with anything of a reader's row but when it was last seen. */
  readonly readers: string;
  /** Rows of the app that are not a reader's. */
  readonly strangers: number;
  /** Displays, clicks and closes that a browser's secret proves, of all deliveries. */
  readonly provenReactions: number;
}

export async function readReaders(
  { database, analytics }: World,
  { app, accepted }: Publisher,
  count: number,
): Promise<ReaderBook> {
  const secrets = Array.from({ length: count }, (_, reader) => hash('sha256', secretOf(reader), 'buffer'));
  const [book] = await database.query<Pick<ReaderBook, 'readers' | 'strangers'>>(
    `WITH rows AS (
       SELECT seq, secret_hash IS NOT NULL AND secret_hash = ANY($2::bytea[]) AS is_reader,
         md5(concat_ws('|', seq, endpoint, p256dh, auth, status, tags, category_ids, external_ids, user_identity,
           secret_hash)) AS content
       FROM subscriptions WHERE app_id = $1
     )
     SELECT coalesce(md5(string_agg(content, '' ORDER BY seq) FILTER (WHERE is_reader)), '') AS readers,
       count(*) FILTER (WHERE NOT is_reader)::integer AS strangers
     FROM rows`,
    [app.id, secrets],
  );
  if (book === undefined) throw new Error('the readers were not counted');
  let provenReactions = 0;
  for (const { id } of accepted) {
    const { displayed, clicked, closed } = await analytics.deliveryReactions(app.id, id);
    provenReactions += displayed + clicked + closed;
  }
  return { ...book, provenReactions };
}
