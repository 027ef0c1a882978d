import { entryOf, type Matchers, type MetricKey, seriesOf } from './promql.ts';

/** Expressions that alerts and panels share. `without` keeps what an operator's Prometheus adds: a job, a cluster. */

const joined = { each: null, sum: 'sum', least: 'min', most: 'max' } as const;

/** A gauge over all processes, as the register says that their values become one. */
export function whole<Key extends MetricKey>(key: Key, matchers: Matchers<Key> = {}): string {
  const entry = entryOf(key);
  const join = entry.kind === 'gauge' ? joined[entry.across] : null;
  if (join === null) throw new Error(`${entry.name} has no value over all processes`);
  return `${join} without (instance) (${seriesOf(key, matchers)})`;
}

interface RateOptions<Key extends MetricKey> {
  readonly matchers?: Matchers<Key>;
  /** Labels to add up over, beside the processes. */
  readonly without: string;
}

/** Of a counter, a second, over all processes. */
export const rateOf = <Key extends MetricKey>(
  key: Key,
  window: string,
  { matchers = {} as Matchers<Key>, without }: RateOptions<Key>,
): string => `sum without (instance, ${without}) (rate(${seriesOf(key, matchers)}[${window}]))`;

/** Of a counter, the part that the matchers select, among all of it. @param drop the label that they select by. */
export const shareOf = <Key extends MetricKey>(
  key: Key,
  window: string,
  matchers: Matchers<Key>,
  drop: string,
): string =>
  `${rateOf(key, window, { matchers, without: drop })}\n/ ${rateOf(key, window, { without: drop })}`;

/** Ends of an attempt that count against the error budget, and those that count at all: throttled ones go on. */
const failed = ['rejected', 'unreachable', 'expired'] as const;
const ended = ['accepted', 'gone', ...failed] as const;

/** Over all push services. */
export function failedShare(window: string): string {
  const without = 'outcome, push_service';
  const rate = (outcome: readonly (typeof ended)[number][]): string =>
    rateOf('attempts', window, { matchers: { outcome }, without });
  return `${rate(failed)}\n/ ${rate(ended)}`;
}

/** Attempts that were never answered, by push service. */
export const unknownShare = (window: string): string =>
  `sum without (instance) (rate(${seriesOf('attemptsUnknown')}[${window}]))\n/ ${rateOf('attempts', window, { without: 'outcome' })}`;
