import type { AppId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';
import { deleting, lockedRows } from '../subscriptions/counts.ts';

/** Deletes subscriptions, of a number that the caller bounds. @returns those that were there. */
export async function eraseSubscriptions(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<number[]> {
  const rows = await sql.query<{ seq: number }>(
    `WITH unfailed AS (
       DELETE FROM failing_endpoints WHERE app_id = $1 AND seq = ANY(ARRAY(
         SELECT seq FROM failing_endpoints WHERE app_id = $1 AND seq = ANY($2::integer[]) ORDER BY seq FOR UPDATE))
       RETURNING seq
     ), ${deleting(erased, { text: `${unproven},`, name: 'unproven' })}
     SELECT seq FROM deleted ORDER BY seq`,
    [appId, seqs],
  );
  return rows.map(({ seq }) => seq);
}

const erased = lockedRows('seq = ANY($2::integer[]) AND (SELECT count(*) FROM unfailed) >= 0');

/** Whether its endpoint ever accepted is a bit of its block. */
const unproven = `
  blocks_left AS (
    SELECT block, places FROM (
      SELECT seq >> 10 AS block, array_agg(seq & 1023) AS places FROM deleted GROUP BY 1
    ) AS gone JOIN accepted_endpoints AS kept USING (block)
    WHERE kept.app_id = $1 ORDER BY block FOR NO KEY UPDATE OF kept
  ),
  unproven AS (
    UPDATE accepted_endpoints AS kept SET seqs = changed_seqs(kept.seqs, NULL, places) FROM blocks_left
    WHERE kept.app_id = $1 AND kept.block = blocks_left.block RETURNING kept.block
  )`;

/** What is not erased yet of an erasure. */
interface ErasurePart {
  readonly erasure_id: number;
  readonly part: number;
  readonly app_id: AppId;
  readonly seqs: readonly number[];
}

/** The next one, locked; null: no part waits, or other engines are at them. @param except erasures that are none. */
export async function lockErasurePart(sql: Sql, except: readonly number[]): Promise<ErasurePart | null> {
  const [part] = await sql.query<ErasurePart>(
    `SELECT erasure_id, part, app_id, seqs FROM erasure_parts WHERE erased_at IS NULL AND erasure_id <> ALL($1)
     ORDER BY part, erasure_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [except],
  );
  return part ?? null;
}

/**
 * Erases one part of an erasure, in one transaction. What is not erased yet of a person, or of more than 1,000 named
 * subscriptions, lives in `erasure_parts`, written with the receipt. If its owner dies, the part stays as it was and
 * any engine erases it; a part twice changes nothing.
 * @returns how many subscriptions and parts.
 */
export async function erasePart(sql: Sql, part: ErasurePart): Promise<number> {
  const erased = await eraseSubscriptions(sql, part.app_id, part.seqs);
  await sql.query(
    `UPDATE erasure_parts SET seqs = $3::integer[], subscriptions = $4, erased_at = now()
     WHERE erasure_id = $1 AND part = $2`,
    [part.erasure_id, part.part, erased, erased.length],
  );
  return erased.length + 1;
}
