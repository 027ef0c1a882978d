import { BITMAP_BYTES, type Bitmap, BLOCK_SIZE } from '../../../contract/bitmap.ts';
import type { AppId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';

/** By block: how many notifications push services accepted for each of its `seq`. */
export type AcceptedLately = ReadonlyMap<number, Uint16Array>;

interface Row {
  readonly block: number;
  readonly accepted: Bitmap;
  /** Those of them that were accepted before the window; null: none. */
  readonly outdated: Bitmap | null;
}

/**
 * As the cap counts them (`dispatch/cap-slots.ts`), without what is in flight. No rehearsal and no test is among them.
 * @param blocks a few dozen: a row for each of them and each delivery of the window is read at once.
 */
export async function readAcceptedLately(
  sql: Sql,
  appId: AppId,
  blocks: readonly number[],
  windowMinutes: number,
): Promise<AcceptedLately> {
  const rows = await sql.query<Row>(
    `SELECT block, accepted, CASE WHEN accepted_at <> '{}' THEN
       (earlier_accepted || accepted)[width_bucket(now() - make_interval(mins => $3), accepted_at)] END AS outdated
     FROM blocks
     WHERE app_id = $1 AND block = ANY($2::integer[]) AND slots_at > now() - make_interval(mins => $3)`,
    [appId, blocks, windowMinutes],
  );
  const counts = new Map(blocks.map((block) => [block, new Uint16Array(BLOCK_SIZE)]));
  for (const { block, accepted, outdated } of rows) addTo(counts.get(block), accepted, outdated);
  return counts;
}

function addTo(counts: Uint16Array | undefined, accepted: Bitmap, outdated: Bitmap | null): void {
  if (counts === undefined) return;
  for (let index = 0; index < BITMAP_BYTES; index++) {
    const byte = (accepted[index] as number) & ~(outdated?.[index] ?? 0);
    for (let bit = 0; byte >> bit !== 0; bit++)
      if ((byte >> bit) & 1) counts[index * 8 + bit] = (counts[index * 8 + bit] as number) + 1;
  }
}
