import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { DeliveryId } from '../../../../engine/contract/ids.ts';
import { type Outcome, outcomes } from '../../../../engine/contract/outcome.ts';
import { type PushService, pushServices } from '../../../../engine/contract/push-service.ts';
import type { DeliveryFailure } from './failures-schema.ts';

interface KeptReason {
  /** As the end of a block writes it: `rejected, fcm answered 403: the key is wrong`. */
  readonly text: string;
  readonly count: number;
}

/** Why subscribers failed permanently, most frequent first. A shard keeps its most frequent reasons, not each one. */
export async function readFailures(sql: Sql, deliveryId: DeliveryId): Promise<DeliveryFailure[]> {
  const rows = await sql.query<KeptReason>(
    `SELECT key AS text, sum(value::int)::int AS count FROM shards, jsonb_each_text(failure_reasons)
     WHERE delivery_id = $1 GROUP BY key ORDER BY 2 DESC, 1`,
    [deliveryId],
  );
  return foldFailures(rows);
}

/** One entry for each outcome, push service and status; of its texts the most frequent one. */
export function foldFailures(rows: readonly KeptReason[]): DeliveryFailure[] {
  const found = new Map<string, DeliveryFailure>();
  for (const { text, count } of rows) {
    const failure = parseReason(text);
    if (failure === null) continue;
    const key = `${failure.outcome} ${failure.push_service} ${failure.http_status}`;
    const before = found.get(key);
    found.set(key, before === undefined ? { ...failure, count } : { ...before, count: before.count + count });
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count);
}

function parseReason(text: string): Omit<DeliveryFailure, 'count'> | null {
  const [, outcome, service, status, reason] =
    /^([a-z]+)(?:, ([a-z]+) answered (\d+))?(?:: (.*))?$/s.exec(text) ?? [];
  if (!isOutcome(outcome)) return null;
  return {
    outcome,
    push_service: isPushService(service) ? service : null,
    http_status: status === undefined ? null : Number(status),
    reason: reason ?? null,
  };
}

const isOutcome = (word: string | undefined): word is Outcome => outcomes.includes(word as Outcome);
const isPushService = (word: string | undefined): word is PushService =>
  pushServices.includes(word as PushService);

interface Counted {
  readonly id: DeliveryId;
  readonly failed_count: number;
}

/** Of those that failed, the subscribers whose push service said that they are gone: one query for all that are given. */
export async function withGone<T extends Counted>(
  sql: Sql,
  deliveries: readonly T[],
): Promise<(T & { readonly gone_count: number })[]> {
  const failed = deliveries.filter(({ failed_count }) => failed_count > 0).map(({ id }) => id);
  const rows =
    failed.length === 0
      ? []
      : await sql.query<{ id: DeliveryId; gone: number }>(
          `SELECT delivery_id AS id, sum(value::int)::int AS gone FROM shards, jsonb_each_text(failure_reasons)
           WHERE delivery_id = ANY($1::bigint[]) AND key ~ '^gone([,:]|$)' GROUP BY 1`,
          [failed],
        );
  const goneOf = new Map(rows.map(({ id, gone }) => [id, gone]));
  // A running delivery of a list may have failed more since it was read.
  return deliveries.map((delivery) => ({
    ...delivery,
    gone_count: Math.min(goneOf.get(delivery.id) ?? 0, delivery.failed_count),
  }));
}
