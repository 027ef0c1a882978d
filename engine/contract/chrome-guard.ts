import type { CapRule } from './shard.ts';

/**
 * The guard against Chrome taking the permission away. Chrome does so where a reader has no engagement with the site
 * at all and the 7-day average of shown notifications, rounded down, is 4 a day on Android or 6 elsewhere: 28 or 42
 * a week. A visit with a click counts for about 10.7 days. (Chromium: `DisruptiveNotificationPermissionsManager`,
 * `SiteEngagementScore`.) Field trials may move these numbers, so they are settings of the app.
 */
export interface ChromeGuard {
  /** Notifications in 7 days, at most, on Android. */
  readonly android_max: number;
  /** On other devices. */
  readonly desktop_max: number;
  /** Readers who visited or clicked within this number of days are engaged, and not limited. */
  readonly engaged_days: number;
}

export const chromeGuardDefaults: ChromeGuard = Object.freeze({
  android_max: 27,
  desktop_max: 41,
  engaged_days: 10,
});

export const GUARD_WINDOW_MINUTES = 7 * 24 * 60;

export const guardRules = ({ android_max, desktop_max, engaged_days: forDays }: ChromeGuard): CapRule[] => [
  {
    windowMinutes: GUARD_WINDOW_MINUTES,
    maxNotifications: android_max,
    concerns: { chrome: 'android', forDays },
  },
  {
    windowMinutes: GUARD_WINDOW_MINUTES,
    maxNotifications: desktop_max,
    concerns: { chrome: 'desktop', forDays },
  },
];
