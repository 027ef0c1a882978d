import { InvalidArgumentError } from 'commander';
import { pushServices } from '../../../engine/contract/push-service.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { PushServiceLimit } from './question.ts';

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6 };
/** As many as there are people. */
const MOST_READERS = 8e9;

/** `5000000`, `5M` or `250k`. */
export function readersOf(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,10}(?:\.\d{1,3})?)([kM]?)$/i.exec(text) ?? [];
  const readers = Math.round(Number(digits || Number.NaN) * (units[unit.toLowerCase()] ?? 1));
  if (readers >= 1 && readers <= MOST_READERS) return readers;
  throw new InvalidArgumentError('must be a number of readers, such as 5000000, 250k or 5M.');
}

/** @returns a parser of whole numbers within bounds. */
export const wholeFrom =
  (least: number, most: number) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(
      `must be a whole number from ${least} to ${most.toLocaleString('en-US')}.`,
    );
  };

/** `fcm=80%,20000`: four fifths of the readers, and 20,000 messages a second. May be given for each push service. */
export function pushServiceOf(
  text: string,
  before: readonly PushServiceLimit[] = [],
): readonly PushServiceLimit[] {
  const [, name = '', percent = '', perSecond = ''] = /^([a-z]+)=(\d{1,3})%,(\d{1,9})$/.exec(text) ?? [];
  const limit = { name, share: Number(percent) / 100, perSecond: Number(perSecond) };
  if (!(pushServices as readonly string[]).includes(name) || limit.share === 0 || limit.perSecond === 0)
    throw new InvalidArgumentError(
      `must be a push service (${pushServices.join(', ')}), its share of the readers and its messages a second, such as fcm=80%,20000.`,
    );
  if (before.some((other) => other.name === name)) throw new InvalidArgumentError(`names ${name} twice.`);
  const all = [...before, limit];
  if (all.reduce((sum, { share }) => sum + share, 0) > 1.000_001)
    throw new InvalidArgumentError('gives the push services more than 100% of the readers together.');
  return all;
}

const MINUTE = 60;

/** @throws CliError where both times are given, or neither. */
export function secondsOf({
  minutes,
  seconds,
}: {
  readonly minutes?: number;
  readonly seconds?: number;
}): number {
  if (minutes !== undefined && seconds !== undefined)
    throw new CliError('give the time as --minutes or as --seconds, not as both');
  if (seconds !== undefined) return seconds;
  if (minutes !== undefined) return minutes * MINUTE;
  throw new CliError('the time is missing: add --minutes 5, or --seconds 30');
}
