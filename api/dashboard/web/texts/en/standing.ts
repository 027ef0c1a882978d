import { plural } from './plural.ts';

/** How push services and browsers treat an app. */
export const standing = {
  standing: {
    description: 'How browsers and their push services treat your notifications, and what they judge you by.',
    services: { fcm: 'Chrome', mozilla: 'Firefox', wns: 'Edge', apple: 'Safari', other: 'Others' },
    states: { normal: 'Normal', limited: 'Limited' },
    limitedTitle: 'Sending is limited',
    limited: (service: string, allowed: string, since: string): string =>
      `Since ${since}, ${service} accepts at most ${allowed} messages per minute.`,
    limitedUntil: (service: string, allowed: string, since: string, end: string): string =>
      `Since ${since}, ${service} accepts at most ${allowed} messages per minute, probably until ${end}.`,
    needs: (time: string): string => `This delivery needs about ${time}.`,
    expiring: (count: string): string =>
      `It expires before it reaches ${count} ${plural(count, 'reader', 'readers')}.`,
    now: 'Now',
    nowAbout:
      'Chrome limits sites whose notifications it judges disruptive to about 1,000 messages per minute: for a day, then 7, then 14.',
    risk: 'Permissions at risk',
    riskAbout:
      'Chrome revokes the permission of sites that a reader never visits and that show 28 notifications per week on Android, 42 on computers.',
    atRisk: 'Readers at risk',
    ofSubscribers: (count: string): string => `of ${count} ${plural(count, 'subscriber', 'subscribers')}`,
    near: 'Near the limit',
    nearHint: 'within three notifications',
    atLimit: 'At the limit',
    atLimitGuarded: 'the next one is held back',
    atLimitOpen: 'the next one may cost the permission',
    guardOn: 'The guard is on: it holds notifications back from readers at the limit.',
    guardOff: 'The guard is off: these readers get the next notification anyway.',
    switchOn: 'Switch the guard on',
    changeGuard: 'Change the guard',
    sampled: 'Estimated from a sample of half a million readers.',
    permissions: 'Revoked permissions',
    permissionsAbout: (days: string): string =>
      `Chrome revokes the permission of sites that a reader does not visit. This counts readers who came back to the site in the last ${days} days; a prompt asks them once more.`,
    revoked: 'Lost',
    revokedHint: 'found at a visit',
    wonBack: 'Won back',
    wonBackHint: 'subscribed again',
    wonBackShare: 'Share won back',
    siteWeeks: 'Pushes per time on your site',
    siteWeeksAbout:
      'Chrome judges each day by the pushes and prompts per time that readers spend on the site. The time of subscribed readers, as their browsers report it.',
    siteWeeksEmpty: 'No browser has reported its time on the site yet.',
    weekFrom: 'Week of',
    hoursOnSite: 'Hours on the site',
    pushesPerHour: 'Pushes per hour',
    promptsPerHour: 'Prompts per hour',
    week: 'Notifications per reader per week',
    weekAbout: 'What push services accepted in the last 7 days, for those who are subscribed now.',
    weekEmpty: 'No subscribers yet.',
    browser: 'Browser',
    unknownBrowser: 'Not known',
    subscribers: 'Subscribers',
    average: 'Average',
    most: 'Maximum',
    pushes: 'Unsubscribed within 48 hours',
    pushesAbout:
      'Of the readers for whom a notification was accepted, with the 95% confidence interval. A reader who got several counts for each.',
    pushesEmpty: 'Nothing has been sent yet.',
    push: 'Notification',
    leftOf: (left: string, accepted: string): string => `${left} of ${accepted}`,
    left: 'Unsubscribed',
    interval: 'Share (95%)',
    range: (share: string, low: string, high: string): string => `${share}% (${low}–${high})`,
    notKnown: 'not known',
    open: 'still counting',
    throttled: '“Too fast” answers',
    throttledAbout: 'By the hour, in the last 7 days.',
    throttledEmpty: 'No push service asked you to slow down in the last 7 days.',
    throttledCount: 'Too fast',
    acceptedCount: 'Accepted',
    hour: 'Hour',
    service: 'Browser',
    episodes: 'Earlier limits',
    episodesAbout: 'After 42 days without a limit Chrome begins with a single day again.',
    from: 'From',
    until: 'Until',
    goesOn: 'ongoing',
    lowest: 'Lowest per minute',
    about: (count: string): string => `About ${count}`,
    prune: 'Unsubscribe readers who were never reachable',
    pruneHint:
      'Once a day, readers are unsubscribed who were sent notifications in that time and showed no activity.',
    pruneDays: 'Days without a visit, a click or a display',
    pruneCount: (count: number, shown: string, days: number): string =>
      plural(
        count,
        `${shown} reader showed no activity in ${days} days.`,
        `${shown} readers showed no activity in ${days} days.`,
      ),
    pruneUnknown: 'No browser of this site reports what it displays, so nobody counts as unreachable.',
    heldBack: (count: number, shown: string): string =>
      plural(
        count,
        `${shown} reader is near Chrome’s limit: this one is held back.`,
        `${shown} readers are near Chrome’s limit: they are held back.`,
      ),
    couldLose: (count: number, shown: string): string =>
      plural(
        count,
        `${shown} reader is at Chrome’s limit: Chrome could take the permission away.`,
        `${shown} readers are at Chrome’s limit: Chrome could take the permission away.`,
      ),
  },
} as const;
