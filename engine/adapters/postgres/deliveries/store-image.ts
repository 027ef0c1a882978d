import type { Sql } from '../sql.ts';

export interface StoredImage {
  readonly hash: Uint8Array;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Of an icon: the same with 192 pixels a side. */
  readonly small?: Uint8Array | null;
}

/**
 * Keeps an image for what the caller's transaction writes. The row stays locked until that
 * commits: a removal at the same moment skips it, or has taken it and it is rewritten.
 */
export async function storeImage(sql: Sql, image: StoredImage): Promise<void> {
  const { hash, contentType, bytes, small = null } = image;
  await sql.query(
    `INSERT INTO images (hash, content_type, bytes, small) VALUES ($1, $2, $3, $4)
     ON CONFLICT (hash) DO UPDATE SET used_at = now(), small = coalesce(images.small, excluded.small)`,
    [hash, contentType, bytes, small],
  );
}
