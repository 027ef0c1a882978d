import type { UnengagedChrome } from '../../../contract/shard.ts';

/**
 * A condition on `subscriptions`: on this Chrome, without a visit or a click for a number of days. Chrome on iOS is Safari
 * inside, and other browsers made of Chromium judge sites by rules of their own. An imported reader has no browser until
 * the next visit: at Chrome's push service it is most likely Chrome, and on which system only the device may say, so
 * that the lower limit, Android's, holds for all but computers.
 * @param days SQL, an integer.
 */
export const unengagedOn = (chrome: UnengagedChrome['chrome'], days: string): string =>
  `(browser_name = 'Chrome' AND ${systems[chrome]}
     OR browser_name IS NULL AND endpoint LIKE ANY ('{https://fcm.googleapis.com/%,https://jmt17.google.com/%}')
       AND ${devices[chrome]})
   AND greatest(last_seen_at, last_clicked_at) < now() - make_interval(days => ${days})`;

const systems: Readonly<Record<UnengagedChrome['chrome'], string>> = {
  android: `os_name = 'Android'`,
  desktop: `coalesce(os_name, '') NOT IN ('Android', 'iOS')`,
};

const devices: Readonly<Record<UnengagedChrome['chrome'], string>> = {
  android: `device_type IS DISTINCT FROM 'desktop'`,
  desktop: `device_type = 'desktop'`,
};
