import type { ImportRow } from './row.ts';

/**
 * Two lines of one endpoint, as if they had been imported one after the other: of each field the later line holds, where
 * it has one.
 */
export const merged = (earlier: ImportRow, later: ImportRow): ImportRow => ({
  ...later,
  userIdentity: later.userIdentity ?? earlier.userIdentity,
  country: later.country ?? earlier.country,
  device: later.device ?? earlier.device,
  timeZone: later.timeZone ?? earlier.timeZone,
  language: later.language ?? earlier.language,
  createdAt: earlier.createdAt ?? later.createdAt,
  lastSeenAt: latest(earlier.lastSeenAt, later.lastSeenAt),
  tags: joined(earlier.tags, later.tags),
  externalIds: joined(later.externalIds, earlier.externalIds),
  vapidKeyNumber: later.vapidKeyNumber ?? earlier.vapidKeyNumber,
});

const latest = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other > one) ? other : one;

/** Of a key that both have, the second one's text. */
const joined = (first: string, second: string): string =>
  first === '{}'
    ? second
    : second === '{}'
      ? first
      : JSON.stringify({ ...JSON.parse(first), ...JSON.parse(second) });
