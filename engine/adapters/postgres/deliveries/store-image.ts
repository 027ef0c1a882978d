import type { Sql } from '../sql.ts';

export interface StoredImage {
  readonly hash: Uint8Array;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/**
 * Keeps an image for the delivery that the caller's transaction writes. The row stays locked until that
 * commits: a removal that looks at the same moment passes it over, or has taken it and it is written anew.
 */
export async function storeImage(sql: Sql, { hash, contentType, bytes }: StoredImage): Promise<void> {
  await sql.query(
    `INSERT INTO images (hash, content_type, bytes) VALUES ($1, $2, $3)
     ON CONFLICT (hash) DO UPDATE SET used_at = now()`,
    [hash, contentType, bytes],
  );
}
