import { InvalidArgumentError } from 'commander';
import { zoneName } from '../../../engine/contract/time-zone.ts';

export function idOf(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be an id, a whole number.');
}

export function wholeOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a whole number.');
}

export function zoneOf(text: string): string {
  const name = zoneName(text);
  if (name !== null) return name;
  throw new InvalidArgumentError('must be a time zone, such as Europe/Berlin.');
}

const MAX_LIMIT = 100;

export function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(`must be a whole number from 1 to ${MAX_LIMIT}.`);
}

/** For an option that may be given several times. */
export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** JSON leaves undefined out by itself; the types and a form do not. */
export function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}
