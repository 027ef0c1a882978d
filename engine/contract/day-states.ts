/**
 * How certain a day of a source is: `open` (more may come), `complete` (all of it is there, and may be corrected) or `final`
 * (it does not change). From the least certain.
 */
export const dayStates = ['open', 'complete', 'final'] as const;
export type DayState = (typeof dayStates)[number];

/** Who said so. `time`: its source is complete until a time after it. */
export type DaySpeaker = 'import' | 'person' | 'rule' | 'time';

export const leastCertain = (states: readonly DayState[]): DayState =>
  dayStates.find((state) => states.includes(state)) ?? 'open';
