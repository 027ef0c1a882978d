import { pushServices } from '../../../contract/push-service.ts';
import { countIndex } from '../../../contract/service-counts.ts';
import type { BlockEnd } from '../../../contract/shard.ts';

/** A delivery's results per push service are counted on its shards, by the statement that ends a block. */

/** Seconds over which messages are counted for a rate: it is read over one to two of these. */
export const RATE_SECONDS = 5;
export const currentSpan = `floor(extract(epoch FROM now()) / ${RATE_SECONDS})::bigint`;

// $13 counts of all services, $14 accepted by service, $15 waiting by service or null.
export const countedByService = `service_counts = added_counts(service_counts, $13::integer[]),
  span_before = CASE WHEN span = ${currentSpan} THEN span_before
    WHEN span = ${currentSpan} - 1 THEN span_accepted ELSE '{}' END,
  span_accepted = CASE WHEN span = ${currentSpan} THEN added_counts(span_accepted, $14::integer[])
    ELSE $14::integer[] END,
  span = ${currentSpan}`;

/** @returns the values of the three parameters above. */
export function serviceValues({ services }: BlockEnd): readonly unknown[] {
  if (services === undefined) return [[], [], null];
  const { counts, waiting } = services;
  const accepted = pushServices.map((_, index) => counts[countIndex(index, 'accepted')] ?? 0);
  return [counts, accepted, waiting.some((count) => count > 0) ? waiting : null];
}
