import { bitsOf } from '../../../contract/bitmap.ts';
import { type BlockEnd, STRIKES_TO_RETIRE } from '../../../contract/shard.ts';
import { lockedRows, unsubscribing } from '../subscriptions/counts.ts';

/**
 * The results of a block's end for endpoints, as parts of its one statement, after `counted`, the shard under
 * its lease:
 *
 * - `accepted_endpoints`: an endpoint that accepted is known from then on, until the next strike.
 * - `failing_endpoints`: strikes in a row, one a delivery. The last one unsubscribes, and the row says why.
 *
 * Locks are taken in the order that `subscriptions/counts.ts` gives. A subscribe touches no strikes: those against
 * another endpoint do not count instead.
 *
 * Both tables are written in the statement that ends a block. If its owner dies, nothing is lost but with the block
 * itself, which another engine sends again. An endpoint without a bit is on probation.
 */

/** $17 when the targets were read, $18 newly known, $19 invalid, $20 newly known by `seq`; $21 gone, $22 why invalid. */
export function recordValues(end: BlockEnd, leaves: boolean): unknown[] {
  const { maps, newlyKnown, invalid = [] } = end;
  const strikes = invalid.toSorted((a, b) => a.seq - b.seq);
  const known = [
    end.readAtMs,
    newlyKnown === undefined ? null : Buffer.from(newlyKnown),
    strikes.map(({ seq }) => seq),
    newlyKnown === undefined ? [] : bitsOf(newlyKnown, maps.block),
  ];
  return leaves ? [...known, end.gone, strikes.map(({ reason }) => reason)] : known;
}

const readAt = 'to_timestamp($17 / 1000.0)';
const app = '(SELECT app_id FROM counted)';
const inBlock = 'seq >= $5 * 1024 AND seq < ($5 + 1) * 1024';
const timesNow = 'kept.times + (kept.delivery_id <> excluded.delivery_id)::integer';

/** Strikes of endpoints that accepted do not count any more. */
const cleared = `
  failing AS (
    SELECT seq FROM failing_endpoints WHERE app_id = ${app} AND ${inBlock} AND seq = ANY($19::integer[] || $20::integer[])
    ORDER BY seq FOR UPDATE
  ),
  cleared AS (
    DELETE FROM failing_endpoints WHERE app_id = ${app} AND seq = ANY($20::integer[])
      AND seq = ANY(ARRAY(SELECT seq FROM failing)) RETURNING seq
  )`;

const invalid = `
  invalid AS (
    INSERT INTO failing_endpoints AS kept (app_id, seq, endpoint, delivery_id, times, last_at, reason)
    SELECT counted.app_id, place, hashtextextended(endpoint, 0), delivery_id, 1, now(), why
    FROM counted, unnest($19::integer[], $22::text[]) AS given (place, why)
      JOIN subscriptions ON subscriptions.app_id = ${app} AND seq = place AND last_seen_at <= ${readAt}
    WHERE (SELECT count(*) FROM cleared) >= 0 ORDER BY place
    ON CONFLICT (app_id, seq) DO UPDATE SET endpoint = excluded.endpoint, delivery_id = excluded.delivery_id,
      last_at = excluded.last_at, reason = excluded.reason,
      times = CASE WHEN kept.endpoint = excluded.endpoint THEN ${timesNow} ELSE 1 END,
      retired_at = CASE WHEN kept.endpoint = excluded.endpoint AND ${timesNow} >= ${STRIKES_TO_RETIRE} THEN now() END
    RETURNING seq, times
  )`;

/** One whose endpoint may have moved since the targets were read is neither gone nor retired. */
const leaving = lockedRows(
  `status = 'subscribed' AND last_seen_at <= ${readAt}
   AND seq = ANY($21::integer[] || ARRAY(SELECT seq FROM invalid WHERE times >= ${STRIKES_TO_RETIRE}))`,
  { app, lock: 'NO KEY UPDATE' },
);

/**
 * Sets the bits of endpoints that accepted for the first time, and clears those of invalid ones. A subscriber
 * who came back since the targets were read may have another endpoint: that bit waits for the next delivery.
 * @param after a part that must have taken its locks before.
 */
const knownParts = (after: string): string => `
  changing AS (
    SELECT counted.app_id, changed_seqs($18, NULL, ARRAY(
      SELECT seq FROM subscription_activity WHERE app_id = ${app} AND last_seen_at > ${readAt} AND ${inBlock}
    )) AS added
    FROM counted WHERE (SELECT count(*) FROM ${after}) >= 0
  ),
  known AS (
    INSERT INTO accepted_endpoints AS kept (app_id, block, seqs)
    SELECT app_id, $5, changed_seqs(decode(repeat('00', 128), 'hex'), added, $19) FROM changing
    ON CONFLICT (app_id, block) DO UPDATE SET seqs = changed_seqs(kept.seqs, (SELECT added FROM changing), $19)
    RETURNING block
  )`;

/** Parts for an end with first acceptances. */
export const firstAcceptances = `${cleared}, ${knownParts('cleared')}`;
/** Parts for an end with gone or invalid endpoints, and perhaps first acceptances. */
export const leavings = `${cleared}, ${invalid}, ${unsubscribing(leaving, {
  app,
  between: { text: `${knownParts('unsubscribed')},`, name: 'known' },
})}`;
