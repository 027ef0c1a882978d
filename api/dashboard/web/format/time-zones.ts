import { once } from './once.ts';

/** All that the browser knows; UTC is not in its list. */
export const timeZones = once((): readonly string[] => [
  ...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']),
]);

/** The one that the person in front of the page is in; UTC for a machine with a fixed offset, which is not a zone. */
export function ownTimeZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone.startsWith('Etc/') ? 'UTC' : zone;
}

/** All of them, for a choice: UTC and the reader's own come first. */
export function zonesByUse(): string[] {
  const usual = [...new Set(['UTC', ownTimeZone()])];
  return [...usual, ...timeZones().filter((each) => !usual.includes(each))];
}
