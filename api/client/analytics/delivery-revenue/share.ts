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

interface Part extends Amount {
  readonly id: DeliveryId;
  readonly isHour: boolean;
}

/**
 * Shares what each hour and each day earned among the deliveries by which readers came then, by their visits. Every
 * part is rounded down, so that the parts of an hour are never more than it; the rest falls to no delivery.
 */
export function shareEarnings({ earned, visits, perVisit }: ShareQuestion): ReadonlyMap<DeliveryId, Share> {
  const came = visitsByPlace(visits);
  const parts = [...earned].flatMap(([place, amount]) =>
    partsOf(place, amount, came.get(place) ?? new Map(), perVisit),
  );
  const partsById = Map.groupBy(parts, ({ id }) => id);
  return new Map(
    [...Map.groupBy(visits, ({ id }) => id)].map(([id, own]) => [
      id,
      { visits: own.reduce((sum, each) => sum + each.visits, 0), ...sumOf(partsById.get(id) ?? []) },
    ]),
  );
}

type Came = ReadonlyMap<DeliveryId, number>;

/** Visits of an hour count for the day, too: a site may have sources of both kinds. */
function visitsByPlace(visits: readonly Visits[]): ReadonlyMap<string, Came> {
  const places = new Map<string, Map<DeliveryId, number>>();
  for (const { id, date, hour, visits: count } of visits) {
    for (const place of new Set([placeOf(date, hour), date])) {
      const came = places.get(place) ?? new Map<DeliveryId, number>();
      places.set(place, came.set(id, (came.get(id) ?? 0) + count));
    }
  }
  return places;
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

function sumOf(parts: readonly Part[]): Omit<Share, 'visits'> {
  const hours = parts.filter((part) => part.isHour);
  const grain = hours.length === 0 ? 'day' : hours.length === parts.length ? 'hour' : 'mixed';
  return {
    ...parts.reduce<Amount>(addAmounts, noAmount),
    hourUnits: hours.reduce((sum, { units }) => sum + units, 0n),
    grain: parts.length === 0 ? null : grain,
  };
}
