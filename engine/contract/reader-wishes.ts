import { type Bitmap, bitmapOf } from './bitmap.ts';
import type { FrequencyCap, WishesHeeded } from './shard.ts';

/** What a reader of an app asked for in its preference centre. Null: nothing of that kind. */
export interface ReaderWishes {
  /** A cap of the reader's own. */
  readonly fewer: FrequencyCap | null;
  /** Nothing until then. */
  readonly pausedUntil: Date | null;
  readonly quietHours: ReaderQuietHours | null;
}

/** By the reader's clock, each day. */
export interface ReaderQuietHours {
  /** `22:00` */
  readonly from: string;
  /** `07:00`, on the next day if it is earlier than `from`. */
  readonly to: string;
}

export interface WishingReader extends Omit<ReaderWishes, 'pausedUntil'> {
  /** Now. */
  readonly paused: boolean;
  readonly seq: number;
  /** IANA; the app's own where the reader's is not known. */
  readonly zone: string;
}

/** The wishes of a block's readers at one moment. */
export interface BlockWishes {
  /** Paused, or in their quiet hours. */
  readonly silent: Bitmap;
  /** The readers' own caps, those that are the same in one. */
  readonly caps: readonly (FrequencyCap & { readonly readers: Bitmap })[];
}

export function blockWishesOf(
  readers: readonly WishingReader[],
  heeded: WishesHeeded,
  now: Date,
): BlockWishes {
  const clocks = new Map<string, string>();
  const clockOf = (zone: string): string => {
    const time = clocks.get(zone) ?? clockIn(zone, now);
    clocks.set(zone, time);
    return time;
  };
  const isSilent = ({ paused, quietHours, zone }: WishingReader): boolean =>
    paused || (heeded === 'all' && quietHours !== null && isQuiet(quietHours, clockOf(zone)));
  const heedful = heeded === 'none' ? [] : readers;
  return { silent: bitmapOf(heedful.filter(isSilent).map(({ seq }) => seq)), caps: capsOf(heedful) };
}

function capsOf(readers: readonly WishingReader[]): BlockWishes['caps'] {
  const groups = Map.groupBy(
    readers.filter(({ fewer }) => fewer !== null),
    ({ fewer }) => `${fewer?.windowMinutes}/${fewer?.maxNotifications}`,
  );
  return [...groups.values()].flatMap((group) => {
    const fewer = group[0]?.fewer;
    return fewer ? [{ ...fewer, readers: bitmapOf(group.map(({ seq }) => seq)) }] : [];
  });
}

/** Whether the clock shows one of these hours: `to` is no longer one, and hours that end when they begin are none. */
export const isQuiet = ({ from, to }: ReaderQuietHours, time: string): boolean =>
  from <= to ? from <= time && time < to : from <= time || time < to;

/** What clocks in a zone show, to the minute. */
const clockIn = (zone: string, at: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .toString({ smallestUnit: 'minute' });
