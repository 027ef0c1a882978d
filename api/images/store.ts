import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { Image, ImageType } from '../../engine/images/check-image.ts';

export async function findImage(sql: Sql, hash: Buffer): Promise<Image | null> {
  const [row] = await sql.query<{ content_type: ImageType; bytes: Buffer }>(
    `SELECT content_type, bytes FROM images WHERE hash = $1`,
    [hash],
  );
  return row === undefined ? null : { hash, contentType: row.content_type, bytes: row.bytes };
}
