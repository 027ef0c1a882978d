import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { Image } from '../../engine/notification/images/check-image.ts';
import { type ImageType, withoutMetadata } from '../../engine/notification/images/whole-image.ts';

export async function findImage(
  sql: Sql,
  { hash, small = false }: { readonly hash: Buffer; readonly small?: boolean },
): Promise<Image | null> {
  const [row] = await sql.query<{ content_type: ImageType; bytes: Buffer }>(
    `SELECT content_type, CASE WHEN $2 THEN small ELSE bytes END AS bytes FROM images
     WHERE hash = $1 AND (small IS NOT NULL OR NOT $2)`,
    [hash, small],
  );
  if (row === undefined) return null;
  // One of before was stored as it came.
  const bytes = withoutMetadata(row.bytes) ?? row.bytes;
  return { hash, contentType: row.content_type, bytes };
}
