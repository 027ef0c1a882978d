/** What new subscribers get. */
export const welcome = {
  welcome: {
    description:
      'One notification for each reader who subscribes on your site. Its figures appear only here: the app’s do not count it.',
    saved: 'Saved.',
    notification: 'Notification',
    once: 'Once for each browser: not for imported ones, and not for a reader who comes back within 30 days. Readers who are already waiting get what you save here.',
    enabled: 'Welcome new subscribers',
    url: 'Link',
    image: 'Image URL',
    icon: 'Icon URL',
    delay: 'Minutes after subscribing',
    delayHint: '0: within seconds. At most 1,440, a day.',
    results: (days: number): string => `Welcome notifications of the last ${days} days`,
    asOf: (time: string): string => `as of ${time}`,
    days: (days: number): string => `in ${days} days`,
    sent: 'Sent',
    displayed: 'Displayed',
    clicked: 'Clicked',
    waiting: 'Waiting',
  },
} as const;
