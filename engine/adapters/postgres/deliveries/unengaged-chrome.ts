import type { UnengagedChrome } from '../../../contract/shard.ts';

/**
 * A condition on `subscriptions`: on this Chrome, without a visit or a click for so many days. Chrome on iOS is Safari
 * inside, and other browsers made of Chromium judge sites by rules of their own.
 * @param days SQL, an integer.
 */
export const unengagedOn = (chrome: UnengagedChrome['chrome'], days: string): string =>
  `browser_name = 'Chrome' AND ${systems[chrome]}
   AND greatest(last_seen_at, last_clicked_at) < now() - make_interval(days => ${days})`;

const systems: Readonly<Record<UnengagedChrome['chrome'], string>> = {
  android: `os_name = 'Android'`,
  desktop: `coalesce(os_name, '') NOT IN ('Android', 'iOS')`,
};
