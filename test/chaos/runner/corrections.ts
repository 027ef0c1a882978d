import { bitsOf, without } from '../../../engine/contract/bitmap.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { until } from './campaign-calls.ts';
import { type Publisher, texts } from './publisher.ts';
import type { World } from './world.ts';

/** A delivery that somebody corrects while it is sent. */
export interface ScheduledCorrection {
  /** When the delivery is posted. */
  readonly atMs: number;
  /** How long after it reached its first readers. */
  readonly afterMs: number;
}

export interface Corrected {
  readonly wrong: DeliveryId;
  readonly correction: DeliveryId;
}

/** What the maps of the blocks say of both. */
export interface CorrectionBook extends Corrected {
  /** Accepted of the wrong one. */
  readonly reached: number;
  /** Of these, not accepted of the correction. */
  readonly missed: number;
  /** Accepted of the correction. */
  readonly corrected: number;
  /** Of these, who certainly did not get the wrong one. */
  readonly strange: number;
}

/** Sends a delivery, and corrects it a moment after it reached its first readers: its end may come before. */
export async function postCorrected(publisher: Publisher, afterMs: number): Promise<Corrected> {
  const wrong = await publisher.post('bulk');
  await until(`delivery ${wrong} to reach somebody`, async () => {
    const { data } = await publisher.ask<{ success_count: number }>('GET', `/deliveries/${wrong}`);
    return data !== undefined && data.success_count > 0;
  });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const body = { ...texts, title: 'corrected' };
  const { status, data, text } = await publisher.ask<{ readonly id: DeliveryId }>(
    'POST',
    `/deliveries/${wrong}/correction`,
    body,
  );
  if (status !== 201 || data === undefined) throw new Error(`a correction was answered ${status}: ${text}`);
  return { wrong, correction: data.id };
}

export async function readCorrection(world: World, corrected: Corrected): Promise<CorrectionBook> {
  const reached = await acceptedOf(world, corrected.wrong);
  const again = await acceptedOf(world, corrected.correction);
  const unsure = await unsureOf(world, corrected.wrong);
  return {
    ...corrected,
    reached: reached.size,
    missed: countOutside(reached, again),
    corrected: again.size,
    strange: countOutside(again, new Set([...reached, ...unsure])),
  };
}

async function acceptedOf({ database }: World, id: DeliveryId): Promise<Set<number>> {
  const rows = await database.query<{ block: number; accepted: Uint8Array }>(
    'SELECT block, accepted FROM blocks WHERE delivery_id = $1',
    [id],
  );
  return new Set(rows.flatMap(({ block, accepted }) => [...bitsOf(accepted, block)]));
}

/** Begun and not ended, where an engine died or an answer was missing. */
async function unsureOf({ database }: World, id: DeliveryId): Promise<Set<number>> {
  const rows = await database.query<{ block: number; audience: Uint8Array; settled: Uint8Array }>(
    `SELECT block, blocks.audience, settled FROM blocks JOIN shards ON shards.id = shard_id
     WHERE blocks.delivery_id = $1 AND lost_leases + unknown_count > 0`,
    [id],
  );
  return new Set(
    rows.flatMap(({ block, audience, settled }) => [...bitsOf(without(audience, settled), block)]),
  );
}

const countOutside = (some: ReadonlySet<number>, others: ReadonlySet<number>): number =>
  [...some].filter((seq) => !others.has(seq)).length;
