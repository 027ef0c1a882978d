/** Whether times of a load are days or hours: `day` and `hour` where the import says so. */
export type Grain = 'day' | 'hour';

/**
 * Many ad servers write a day as its midnight. Whether a midnight is a day shows only in all of a load's times: they are
 * taken for days until one with an hour comes, and then the load begins again with hours.
 */
export interface Times {
  readonly declared: Grain | null;
  readonly midnightIs: Grain;
}

/** A time with an hour, in a load whose midnights were taken for days. */
export class HasHours extends Error {}

const date = String.raw`^\s*[0-9]{4}-[0-9]{2}-[0-9]{2}`;
const offset = String.raw`(Z|[+-][0-9]{2}:?[0-9]{2})?\s*$`;
/** In the syntax that JavaScript and ClickHouse share. */
export const DAY = String.raw`${date}\s*$`;
export const MIDNIGHT = `${date}[T ]00:00(:00([.]0{1,9})?)?${offset}`;
export const TIME = `${date}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?${offset}`;

const [isDay, isMidnight, isTime] = [DAY, MIDNIGHT, TIME].map((text) => new RegExp(text)) as [
  RegExp,
  RegExp,
  RegExp,
];

/** A time of a row as it is stored: a day without an hour is a day. @throws HasHours. */
export function storedAt(at: string, { declared, midnightIs }: Times): string | { readonly reason: string } {
  if (isDay.test(at)) return declared === 'hour' ? { reason: NO_HOUR } : at;
  if (midnightIs === 'hour') return at;
  if (isMidnight.test(at)) return at.trim().slice(0, 10);
  if (!isTime.test(at)) return at;
  if (declared === null) throw new HasHours();
  return { reason: AN_HOUR };
}

export const NO_HOUR = 'at is a day, and --grain hour says that all are hours';
export const AN_HOUR = 'at has an hour, and --grain day says that all are days';
