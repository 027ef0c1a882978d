/** What new subscribers get. */
export const welcome = {
  welcome: {
    description:
      'One notification for each reader who subscribes on your site. Its figures are here alone: none of the app’s have it.',
    saved: 'Saved.',
    notification: 'Notification',
    once: 'Once for each browser: not for imported ones, and not for a reader who comes back within 30 days. Readers who wait already get what you save here.',
    enabled: 'Welcome new subscribers',
    url: 'Link',
    image: 'Address of an image',
    icon: 'Address of an icon',
    delay: 'Minutes after the subscription',
    delayHint: '0 is within seconds; at most 1,440, a day.',
    results: (days: number): string => `Welcomes of ${days} days`,
    asOf: (time: string): string => `as of ${time}`,
    days: (days: number): string => `in ${days} days`,
    sent: 'Sent',
    displayed: 'Displayed',
    clicked: 'Clicked',
    waiting: 'Waiting',
  },
} as const;
