import { BLOCK_SIZE } from '../../../contract/bitmap.ts';
import type { AppId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';

export interface QuietReader {
  readonly seq: number;
  readonly browser: string | null;
}

/**
 * A condition on `subscriptions`: there longer than that, and without a visit or click since. Of browsers with a secret
 * alone, because only they prove what they displayed.
 * @param days SQL, an integer.
 */
export const isQuiet = (days: string): string =>
  `status = 'subscribed' AND secret_hash IS NOT NULL
   AND greatest(created_at, last_seen_at, last_clicked_at) < now() - make_interval(days => ${days})`;

/**
 * Those of some blocks whom push services accepted messages for in that time, all the same. Whether their browsers
 * displayed any is in ClickHouse.
 */
export const readQuietReaders = (
  sql: Sql,
  appId: AppId,
  blocks: readonly number[],
  days: number,
): Promise<QuietReader[]> =>
  sql.query<QuietReader>(
    `SELECT seq, browser_name AS browser
     FROM unnest($2::integer[]) AS looked_at (block) JOIN subscriptions
       ON app_id = $1 AND seq >= looked_at.block * ${BLOCK_SIZE} AND seq < (looked_at.block + 1) * ${BLOCK_SIZE}
     WHERE ${isQuiet('$3')} AND EXISTS (
       SELECT FROM blocks WHERE blocks.app_id = $1 AND blocks.block = looked_at.block
         AND slots_at > now() - make_interval(days => $3) AND get_bit(accepted, seq % ${BLOCK_SIZE}) = 1)`,
    [appId, blocks, days],
  );
