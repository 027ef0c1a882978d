import { createRecent } from './recent.ts';

const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** The zone's name as the IANA database spells it, `UTC` for all names of UTC; null where there is none. */
export function zoneName(text: string): string | null {
  if (text === 'UTC') return text;
  if (!ZONE.test(text)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Those that a reader may be in, by one name each. UTC is not in the runtime's list. */
export const timeZones: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']),
].sort();
const supported = new Set(timeZones);

/** Strangers choose the names. */
const MAX_KNOWN_NAMES = 2_000;
const MAX_NAME_LENGTH = 64;
const resolved = createRecent(MAX_KNOWN_NAMES, zoneName);

/**
 * A zone of `timeZones` under any of its names: browsers write the same one as `Asia/Kolkata` or `Asia/Calcutta`. Null
 * for a name that the runtime does not know, and for a fixed offset.
 */
export function timeZoneOf(text: string): string | null {
  const name = text.length > MAX_NAME_LENGTH ? null : resolved.use(text);
  return name !== null && supported.has(name) ? name : null;
}
