/**
 * Local times of time zones as instants, by Node's own Temporal: the 418 zones of one wall clock take 1 to 10 ms with
 * nothing to keep. `temporal-polyfill` took 700 ms at first and 90 ms after, and formatters of Intl, one kept for each
 * zone, 220 ms and 8 ms.
 */

/** What clocks show, to the minute. */
export interface WallClock {
  /** `2026-11-23` */
  readonly date: string;
  /** `08:00` */
  readonly time: string;
}

/** Each day's, in local time. */
export interface QuietHours {
  /** `22:00` */
  readonly from: string;
  /** `07:00`, on the next day if it is earlier than `from`. */
  readonly to: string;
}

/** The instants at which clocks show a time: two if they are put back across it. */
interface Showings {
  readonly first: Date;
  readonly last: Date;
}

const isDate = /^\d{4}-\d{2}-\d{2}$/;
const isTime = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * The instant at which this zone's clocks show it. Skipped by a clock change: the first instant after the gap. Shown
 * twice: the first.
 *
 * A later wall clock is never at an earlier instant: callers may search by that.
 * @throws RangeError for a zone that Node does not know, and for anything but a real day and a time of that day.
 */
export function instantIn(zone: string, wall: WallClock): Date {
  return showingsOf(zone, plainOf(wall)).first;
}

/** Zones by the instant, earliest first. Each zone once. */
export function instantsOf(
  zones: readonly string[],
  wall: WallClock,
): { readonly at: Date; readonly zones: readonly string[] }[] {
  const plain = plainOf(wall);
  const byInstant = new Map<number, string[]>();
  for (const zone of new Set(zones)) {
    const at = showingsOf(zone, plain).first.getTime();
    const others = byInstant.get(at);
    if (others === undefined) byInstant.set(at, [zone]);
    else others.push(zone);
  }
  return Array.from(byInstant, ([at, those]) => ({ at: new Date(at), zones: those })).sort(
    (one, other) => one.at.getTime() - other.at.getTime(),
  );
}

/**
 * When the quiet hours end that hold at this instant in this zone; null: it is not quiet then.
 *
 * Each night is one stretch: from the first instant at which clocks show `from` to the last at which they show `to`,
 * so that nobody's clock shows a quiet hour at an instant that is not quiet. Either of them skipped by a clock change:
 * the first instant after the gap.
 * @throws RangeError as `instantIn`; and if `from` is `to`, which may mean never as well as always.
 */
export function quietUntil(zone: string, at: Date, hours: QuietHours): Date | null {
  if (hours.from === hours.to) throw new RangeError('quiet hours must not end at the time they begin');
  const day = zonedOf(zone, at).toPlainDate();
  // Not only today's and yesterday's: clocks that are put back across midnight show tomorrow before today.
  const ends = [-1, 0, 1]
    .map((days) => nightOf(zone, day.add({ days }), hours))
    .filter(({ start, end }) => start <= at && at < end)
    .map(({ end }) => end.getTime());
  if (ends.length === 0) return null;
  const end = new Date(Math.max(...ends));
  // Quiet hours with a pause shorter than the hour shown twice: the next stretch begins before this one ends.
  return quietUntil(zone, end, hours) ?? end;
}

/** What a zone's clocks show at an instant. */
export function wallClockIn(zone: string, at: Date): WallClock {
  const plain = zonedOf(zone, at).toPlainDateTime();
  return {
    date: plain.toPlainDate().toString(),
    time: plain.toPlainTime().toString({ smallestUnit: 'minute' }),
  };
}

const zonedOf = (zone: string, at: Date): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);

/** Temporal reads more than these two forms: seconds, offsets, calendars. */
function plainOf({ date, time }: WallClock): Temporal.PlainDateTime {
  if (!isDate.test(date)) throw new RangeError(`"${date}" is not a day such as 2026-11-23`);
  return Temporal.PlainDate.from(date).toPlainDateTime(plainTimeOf(time));
}

function plainTimeOf(time: string): Temporal.PlainTime {
  if (!isTime.test(time)) throw new RangeError(`"${time}" is not a time such as 08:00`);
  return Temporal.PlainTime.from(time);
}

function showingsOf(zone: string, plain: Temporal.PlainDateTime): Showings {
  const first = plain.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (first.toPlainDateTime().equals(plain)) {
    const last = plain.toZonedDateTime(zone, { disambiguation: 'later' });
    return { first: dateOf(first), last: dateOf(last) };
  }
  // In a gap `earlier` is an instant before it, by less than the gap is long: the next change is the gap's.
  const afterGap = dateOf(first.getTimeZoneTransition('next') ?? first);
  return { first: afterGap, last: afterGap };
}

const dateOf = ({ epochMilliseconds }: Temporal.ZonedDateTime): Date => new Date(epochMilliseconds);

/** The stretch that begins on a day. */
function nightOf(zone: string, day: Temporal.PlainDate, { from, to }: QuietHours) {
  const lastDay = to < from ? day.add({ days: 1 }) : day;
  return {
    start: showingsOf(zone, day.toPlainDateTime(plainTimeOf(from))).first,
    end: showingsOf(zone, lastDay.toPlainDateTime(plainTimeOf(to))).last,
  };
}
