import type { Sql } from '../../engine/adapters/postgres/database.ts';
import type { Image, ImageType } from './check-image.ts';

/**
 * Keeps an image for the delivery that the caller's transaction writes. The row stays locked until that
 * commits: a removal that looks at the same moment passes it over, or has taken it and it is written anew.
 */
export async function storeImage(sql: Sql, { hash, contentType, bytes }: Image): Promise<void> {
  await sql.query(
    `INSERT INTO images (hash, content_type, bytes) VALUES ($1, $2, $3)
     ON CONFLICT (hash) DO UPDATE SET used_at = now()`,
    [hash, contentType, bytes],
  );
}

export async function findImage(sql: Sql, hash: Buffer): Promise<Image | null> {
  const [row] = await sql.query<{ content_type: ImageType; bytes: Buffer }>(
    `SELECT content_type, bytes FROM images WHERE hash = $1`,
    [hash],
  );
  return row === undefined ? null : { hash, contentType: row.content_type, bytes: row.bytes };
}
