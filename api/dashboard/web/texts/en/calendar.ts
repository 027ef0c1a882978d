/** What is sent when. */
export const calendar = {
  calendar: {
    title: 'Calendar',
    zone: (zone: string): string =>
      `What was sent, what is scheduled, and what is expected. Times in ${zone}.`,
    view: 'Show',
    views: { month: 'Month', week: 'Week' },
    before: { month: 'Previous month', week: 'Previous week' },
    after: { month: 'Next month', week: 'Next week' },
    today: 'Today',
    caption: 'Notifications by day',
    add: (day: string): string => `Write one for ${day}`,
    more: (count: number): string => `${count} more`,
    expected: 'expected',
    byReader: 'at each reader’s local time',
    sentTo: (count: string): string => `sent to ${count}`,
    empty: 'Nothing is sent, scheduled or expected in these days.',
    truncated: 'There is more than fits here: switch to the week.',
    move: (name: string): string => `Move ${name}`,
    act: 'Move',
    moved: (name: string, time: string): string => `${name} is scheduled for ${time}.`,
    undo: 'Undo',
  },
} as const;
