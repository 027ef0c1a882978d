import type { FastifyBaseLogger } from 'fastify';
import { orderOfNames } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { completedStatuses, type DeliveryStatus } from '../../../engine/contract/delivery.ts';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import { logFailure } from '../../../engine/kit/roles/log-failure.ts';
import { AnalyticsAway, type AnalyticsPort } from '../../ports/analytics.ts';
import type { TestState } from './schema.ts';

interface Row {
  /** Null: it is not a test. */
  readonly seq: number | null;
  readonly subscription_id: number | null;
  readonly test_browser_id: number | null;
  readonly name: string | null;
  readonly delivery_status: DeliveryStatus;
  /** Bits of the block's maps; null: the block has not run. */
  readonly in_audience: boolean | null;
  readonly accepted: boolean | null;
  readonly settled: boolean | null;
}

/** How a test went in each of its browsers; another delivery has none. Null where the app has no such delivery. */
export async function readTestResults(
  { sql, analytics, log }: { sql: Sql; analytics: AnalyticsPort; log: FastifyBaseLogger },
  appId: AppId,
  deliveryId: DeliveryId,
) {
  const rows = await sql.query<Row>(statement, [appId, deliveryId]);
  if (rows.length === 0) return null;
  const reacted = rows.some(({ accepted }) => accepted) ? await readReactions() : nothingYet;
  return {
    browsers: rows.filter(isOfTest).map(({ seq, subscription_id, test_browser_id, name, ...facts }) => ({
      ...{ test_browser_id, subscription_id, name },
      state: has(reacted?.clicked, seq)
        ? 'clicked'
        : has(reacted?.displayed, seq)
          ? 'displayed'
          : stateOf(facts),
    })),
    reactions_known: reacted !== null,
  };

  async function readReactions(): Promise<Reacted | null> {
    try {
      const [displayed, clicked] = await Promise.all([
        analytics.reacted(appId, { deliveryId, reach: 'displayed' }),
        analytics.reacted(appId, { deliveryId, reach: 'clicked' }),
      ]);
      return { displayed, clicked };
    } catch (error) {
      if (!(error instanceof AnalyticsAway)) throw error;
      logFailure(log, error, 'reactions to a test are unknown: ClickHouse is unavailable');
      return null;
    }
  }
}

const isOfTest = (row: Row): row is Row & { readonly seq: number } => row.seq !== null;

interface Reacted {
  readonly displayed: Uint8Array;
  readonly clicked: Uint8Array;
}
const nothingYet: Reacted = { displayed: new Uint8Array(), clicked: new Uint8Array() };

const has = (seqs: Uint8Array | undefined, seq: number): boolean =>
  (((seqs?.[seq >> 3] ?? 0) >> (seq & 7)) & 1) === 1;

function stateOf({
  delivery_status: status,
  in_audience,
  accepted,
  settled,
}: Pick<Row, 'delivery_status' | 'in_audience' | 'accepted' | 'settled'>): TestState {
  if (accepted) return 'accepted';
  if (in_audience && settled) return 'failed';
  const isOver = status === 'cancelled' || completedStatuses.some((each) => each === status);
  return in_audience === false || isOver ? 'not_sent' : 'waiting';
}

/** At most 50, each lookup by a primary key. */
const statement = `
  WITH chosen AS MATERIALIZED (
    SELECT id, status, seq::integer FROM deliveries
      LEFT JOIN LATERAL jsonb_array_elements_text(CASE WHEN test THEN campaign_part -> 'seqs' END) AS named (seq) ON true
    WHERE app_id = $1 AND id = $2
  )
  SELECT chosen.seq, test_browsers.id AS test_browser_id, name, chosen.status AS delivery_status,
    (SELECT id FROM subscriptions WHERE subscriptions.app_id = $1 AND subscriptions.seq = chosen.seq) AS subscription_id,
    get_bit(audience, chosen.seq & 1023) = 1 AS in_audience, get_bit(accepted, chosen.seq & 1023) = 1 AS accepted,
    get_bit(settled, chosen.seq & 1023) = 1 AS settled
  FROM chosen LEFT JOIN test_browsers ON test_browsers.app_id = $1 AND test_browsers.seq = chosen.seq
    LEFT JOIN blocks ON blocks.app_id = $1 AND block = chosen.seq >> 10 AND delivery_id = chosen.id
  ORDER BY ${orderOfNames('name')}, chosen.seq`;
