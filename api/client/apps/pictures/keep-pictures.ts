import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { say } from '../../../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { parseImageAddress } from '../../../../engine/notification/images/address.ts';
import type { AppSettings } from '../store.ts';
import { type PictureField, pictureFields } from './given-pictures.ts';

/** Our own images among the pictures, as stored. */
const ownOf = (settings: Pick<AppSettings, PictureField>) =>
  pictureFields.flatMap((field) => {
    const name = parseImageAddress('', settings[field] ?? '');
    return name === null ? [] : [{ field, ...name }];
  });

/**
 * Locks our own images that the settings name until the transaction ends, so that no sweep takes one away.
 * @returns the fields that name one we do not have; null where there is none.
 */
export async function lockPictures(
  sql: Sql,
  settings: Pick<AppSettings, PictureField>,
): Promise<FieldErrors | null> {
  const errors: Record<string, readonly string[]> = {};
  for (const { field, hash, contentType, small } of ownOf(settings)) {
    const rows = await sql.query(
      `UPDATE images SET used_at = now()
       WHERE hash = $1 AND content_type = $2 AND (small IS NOT NULL OR NOT $3) RETURNING 1`,
      [hash, contentType, small],
    );
    if (rows.length === 0)
      Object.assign(errors, say(`/${field}`, 'names an image that is not here: upload it again'));
  }
  return Object.keys(errors).length === 0 ? null : errors;
}

/** As long as the app is there: notifications on their way name pictures that were replaced. */
export async function keepPictures(
  sql: Sql,
  appId: AppId,
  settings: Pick<AppSettings, PictureField>,
): Promise<void> {
  const hashes = ownOf(settings).map(({ hash }) => hash);
  if (hashes.length === 0) return;
  await sql.query(
    `INSERT INTO app_images (app_id, hash) SELECT $1, unnest($2::bytea[]) ON CONFLICT DO NOTHING`,
    [appId, hashes],
  );
}

/**
 * Our own address, as a client knows it: an engine that makes a notification by itself has no other for the app's pictures.
 * Noted with what it will need it for, and so also after an import, and once the address has changed.
 */
export async function noteImageBase(sql: Sql, appId: AppId, base: string): Promise<void> {
  await sql.query(
    `UPDATE apps SET image_base = $2 WHERE id = $1 AND image_base IS DISTINCT FROM $2
       AND (icon_url LIKE '/%' OR badge_url LIKE '/%')`,
    [appId, base],
  );
}
