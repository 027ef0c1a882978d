import type { NamedReach } from '../../contract/audience.ts';
import type { AppId } from '../../contract/ids.ts';
import { REACHABLE_DAYS } from '../../contract/reach.ts';
import type { ClickHouse } from './clickhouse.ts';
import { inPieces } from './in-pieces.ts';

export interface ReachedReads {
  /**
   * Whom a delivery reached as browsers reported it, each proven by the browser's secret: bit `seq` of the app. A click
   * or a close without a beacon of its display counts as a display, as in `reactions.ts`. `recent`: of any delivery of
   * the app, by the day of the report.
   * @param recentDays those of `recent`.
   */
  reacted(appId: AppId, named: NamedReach, recentDays?: number): Promise<Uint8Array>;
}

const WORD_BITS = 32;

/** Words of 32 subscriptions instead of one number each: 3 MB for five million readers. */
export function createReachedReads({ client }: ClickHouse): ReachedReads {
  return {
    reacted: async (app, { deliveryId, reach }, recentDays = REACHABLE_DAYS) => {
      const which = {
        recent: `day > toDate(now('UTC')) - {days:UInt16}`,
        clicked: `delivery_id = {delivery:UInt64} AND type = 'clicked'`,
        displayed: 'delivery_id = {delivery:UInt64}',
        accepted: 'false',
      }[reach];
      const answer = await client.query({
        query: `SELECT intDiv(seq, ${WORD_BITS}) AS word, groupBitOr(bitShiftLeft(toUInt32(1), seq % ${WORD_BITS})) AS bits
          FROM (
            SELECT arrayJoin(bitmapToArray(groupBitmapMergeState(subscribers))) AS seq FROM events_by_day
            WHERE app_id = {app:UInt32} AND ${which}
          ) WHERE seq < 2147483648 GROUP BY word ORDER BY word`,
        query_params: { app, delivery: deliveryId, days: recentDays },
        format: 'JSONCompactEachRow',
      });
      const words: Word[] = [];
      for await (const some of inPieces<Word>(answer)) words.push(...some);
      return mapOf(words);
    },
  };
}

type Word = readonly [word: string | number, bits: number];

/** @param words in ascending order. */
function mapOf(words: readonly Word[]): Uint8Array {
  const last = words.at(-1);
  const map = Buffer.alloc(last === undefined ? 0 : (Number(last[0]) + 1) * (WORD_BITS / 8));
  for (const [word, bits] of words) map.writeUInt32LE(bits, Number(word) * (WORD_BITS / 8));
  return map;
}
