import { setImmediate } from 'node:timers/promises';
import type { Visits } from '../../../../engine/adapters/clickhouse/reactions.ts';
import { floorDivide } from '../../../../engine/contract/decimal.ts';
import type { DeliveryId } from '../../../../engine/contract/ids.ts';
import { type Amount, addAmounts, noAmount } from '../convert-earnings.ts';

/** By what a share was estimated: the hours or the days of the clicks, or some of both. */
export type ShareGrain = 'hour' | 'day' | 'mixed';

/** The part of a site's earnings that falls to a delivery. */
export interface Share extends Amount {
  readonly visits: number;
  /** Of `units`, by hours. */
  readonly hourUnits: bigint;
  /** Null: nothing fell to it. */
  readonly grain: ShareGrain | null;
}

export interface ShareQuestion {
  /** What the site earned, by `placeOf`. */
  readonly earned: ReadonlyMap<string, Amount>;
  /** Of all deliveries that lead to the site. */
  readonly visits: readonly Visits[];
  /** How many impressions a visit has at most; null: as many as there are. */
  readonly perVisit: number | null;
}

/** An hour, `2026-01-31 7`; without the hour a day: where the source has no hours, or clicks have none any more. */
export const placeOf = (date: string, hour: number | null): string =>
  hour === null ? date : `${date} ${hour}`;

const isHour = (place: string): boolean => place.includes(' ');

/** Some milliseconds of work, between two turns of the event loop. */
const LINES_A_TURN = 5_000;

interface Part extends Amount {
  readonly id: DeliveryId;
  readonly isHour: boolean;
}

/**
 * Shares what each hour and each day earned among the deliveries by which readers came then, by their visits. Every
 * part is rounded down, so that the parts of an hour are never more than it; the rest falls to no delivery.
 */
export async function shareEarnings({
  earned,
  visits,
  perVisit,
}: ShareQuestion): Promise<ReadonlyMap<DeliveryId, Share>> {
  const shares = new Map<DeliveryId, Share>();
  for await (const { id, visits: count } of inTurns(visits)) {
    const share = shares.get(id) ?? noShare;
    shares.set(id, { ...share, visits: share.visits + count });
  }
  const came = await visitsByPlace(visits);
  for await (const part of inTurns(allParts(earned, came, perVisit)))
    shares.set(part.id, withPart(shares.get(part.id) ?? noShare, part));
  return shares;
}

/** Others get their turn between them: a busy app has a hundred thousand. */
async function* inTurns<Line>(lines: Iterable<Line>): AsyncGenerator<Line> {
  let count = 0;
  for (const line of lines) {
    yield line;
    if (++count % LINES_A_TURN === 0) await setImmediate();
  }
}

type Came = ReadonlyMap<DeliveryId, number>;

/** Visits of an hour count for the day, too: a site may have sources of both kinds. */
async function visitsByPlace(visits: readonly Visits[]): Promise<ReadonlyMap<string, Came>> {
  const places = new Map<string, Map<DeliveryId, number>>();
  for await (const { id, date, hour, visits: count } of inTurns(visits)) {
    for (const place of new Set([placeOf(date, hour), date])) {
      const came = places.get(place) ?? new Map<DeliveryId, number>();
      places.set(place, came.set(id, (came.get(id) ?? 0) + count));
    }
  }
  return places;
}

function* allParts(
  earned: ShareQuestion['earned'],
  came: ReadonlyMap<string, Came>,
  perVisit: number | null,
): Generator<Part> {
  for (const [place, amount] of earned) yield* partsOf(place, amount, came.get(place) ?? new Map(), perVisit);
}

function partsOf(place: string, amount: Amount, came: Came, perVisit: number | null): Part[] {
  const all = BigInt([...came.values()].reduce((sum, count) => sum + count, 0));
  const { impressions, units } = amount;
  const seen = perVisit === null ? impressions : least(impressions, all * BigInt(perVisit));
  // Without a bound the whole hour is shared, also what it earned without impressions.
  const [top, bottom] = perVisit === null ? [1n, 1n] : [seen, impressions];
  if (all === 0n || bottom === 0n || (impressions === 0n && units === 0n)) return [];
  return [...came].map(([id, count]) => ({
    id,
    isHour: isHour(place),
    impressions: (seen * BigInt(count)) / all,
    units: floorDivide(units * top * BigInt(count), bottom * all),
  }));
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const noShare: Share = { ...noAmount, visits: 0, hourUnits: 0n, grain: null };

function withPart(share: Share, part: Part): Share {
  const grain = part.isHour ? 'hour' : 'day';
  return {
    ...addAmounts(share, part),
    visits: share.visits,
    hourUnits: share.hourUnits + (part.isHour ? part.units : 0n),
    grain: share.grain === null || share.grain === grain ? grain : 'mixed',
  };
}
