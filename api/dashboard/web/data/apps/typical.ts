/** A delivery as far as its result is compared. */
export interface Sent {
  readonly id: number;
  readonly started_at: string | null;
  readonly rehearsal: boolean;
  readonly success_count: number;
  readonly click_rate: number;
  readonly clicks_known: boolean;
}

/** Between which the middle half of comparable deliveries lies. */
export interface Band {
  readonly from: number;
  readonly to: number;
  /** Whether they were sent at a like hour of a like day; otherwise they are all that there are. */
  readonly alike: boolean;
  readonly count: number;
}

/** Fewer say nothing about what is typical. */
const LEAST = 4;
const HOURS_APART = 2;
const DAY_HOURS = 24;

const isSent = ({ rehearsal, started_at, success_count, clicks_known }: Sent): boolean =>
  !rehearsal && started_at !== null && success_count > 0 && clicks_known;

/**
 * What readers' clicks usually are around that hour on such a day: working days are alike, and so are the days of a
 * weekend. Without enough of those, over all hours. Null: there are too few to say.
 */
export function typicalFor(one: Sent, others: readonly Sent[]): Band | null {
  if (one.started_at === null) return null;
  const at = new Date(one.started_at);
  const sent = others.filter((each) => each.id !== one.id && isSent(each));
  const near = sent.filter(({ started_at }) => isAlike(at, new Date(started_at ?? 0)));
  const alike = near.length >= LEAST;
  const compared = alike ? near : sent;
  if (compared.length < LEAST) return null;
  const rates = compared.map(({ click_rate }) => click_rate).toSorted((a, b) => a - b);
  return { from: quantile(rates, 0.25), to: quantile(rates, 0.75), alike, count: rates.length };
}

function isAlike(a: Date, b: Date): boolean {
  const apart = Math.abs(a.getHours() - b.getHours());
  return isWeekend(a) === isWeekend(b) && Math.min(apart, DAY_HOURS - apart) <= HOURS_APART;
}

const isWeekend = (date: Date): boolean => date.getDay() === 0 || date.getDay() === 6;

/** Between the two nearest ranks. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

export const placeIn = (rate: number, { from, to }: Band): 'above' | 'below' | 'within' =>
  rate > to ? 'above' : rate < from ? 'below' : 'within';
