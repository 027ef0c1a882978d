import { plural } from './plural.ts';

/** Checks of figures: two sources, unusual days, and how certain days are. */
export const reportChecks = {
  reportChecks: {
    title: 'Checks',
    description:
      'Whether figures can be relied on: what differs, what is unusual, and what changed afterwards.',
    views: { differences: 'Two sources', unusual: 'Unusual days', days: 'Days and corrections' },
    run: 'Check',
    gone: 'somebody who has left',
    differences: {
      about:
        'What two ad servers counted on the same days of the same sites, the largest difference of money first.',
      first: 'First source',
      second: 'Second source',
      amount: (currency: string): string => `Differs by at least (${currency})`,
      percent: 'And by at least (%)',
      twoNeeded: 'It takes two sources',
      twoNeededAbout: (one: string | null): string =>
        one === null
          ? 'Your token sees no statistics of the last 92 days. Import those of two ad servers, each with its --source, or use a token that sees them.'
          : `Of the last 92 days, your token sees statistics of ${one} alone. Import those of another ad server with its own --source, or use a token that sees them.`,
      title: (first: string, second: string): string => `${first} and ${second}`,
      counted: (found: string, compared: string): string =>
        `${found} of ${compared} ${plural(compared, 'day', 'days')} of sites ${plural(found, 'differs', 'differ')} by that much.`,
      cut: (shown: string): string =>
        `The largest ${shown} are shown. The others: raise the two limits, choose fewer days, or use broadside discrepancies --offset.`,
      more: (most: string): string => `Show up to ${most}`,
      order: (first: string, second: string): string =>
        `Above ${first}, below ${second}; percentages are of the first.`,
      none: 'No day of a site differs by that much. Lower the two limits, or choose other days.',
      nothing: 'Neither source has rows on these days. Choose other days.',
      missing: (source: string): string => `nothing from ${source}`,
      difference: 'Difference',
      reason: 'Reason',
      reasonMissing: 'Write why they differ.',
      note: 'Note a reason',
      change: 'Change',
      remove: 'Remove',
      noteOf: (site: string, day: string): string => `Reason for ${site}, ${day}`,
      removeOf: (site: string, day: string): string => `Remove the reason for ${site}, ${day}`,
      removeAbout: 'It disappears for everybody in your organization.',
      removed: 'The reason was removed.',
      noteAbout: 'Everybody in your organization who sees this row reads it.',
    },
    unusual: {
      about:
        'Each site, product and country against its own same weekdays of the eight weeks before, the largest difference of money first; ten a day at most.',
      amount: (currency: string): string => `Differs by at least (${currency})`,
      counted: (shown: string, found: string): string =>
        shown === found
          ? `${found} ${plural(found, 'unusual day', 'unusual days')}.`
          : `${shown} of ${found} unusual days are shown.`,
      muted: (count: string): string => `${count} more ${plural(count, 'is', 'are')} muted.`,
      fresh: (count: string, money: string): string =>
        `Nothing is said of ${count} ${plural(count, 'series', 'series')} that have fewer than four such weekdays before (${money}).`,
      withoutRows: (days: string): string => `Without any row: ${days}.`,
      none: 'Nothing unusual',
      noneAbout:
        'Every series earned what its weekdays usually do. Lower the limit to see smaller differences.',
      nothing: 'There are no rows on these days. Choose other days, or import the statistics of these.',
      less: (money: string): string => `${money} less than usual`,
      more: (money: string): string => `${money} more than usual`,
      range: (low: string, high: string): string => `Usual: ${low} to ${high}.`,
      usual: 'Usual',
      band: 'Band of usual values',
      weekdays: 'Same weekdays',
      from: 'Where it comes from',
      part: 'Part',
      notStated: 'not stated',
      mute: 'Mute',
      muteOf: (series: string): string => `Mute ${series}`,
      until: 'Until',
      untilMissing: 'Choose the last day.',
      muteAbout: 'Up to and with this day, nobody in your organization is shown its unusual days.',
      mutedNow: (series: string): string => `${series} is muted.`,
      mutes: 'Muted',
      mutesNone: 'Nothing is muted. Where you know why a series is unusual, mute it until that ends.',
      series: 'Series',
      mutedBy: 'Muted by',
      end: 'Show again',
      endOf: (series: string): string => `Show again: ${series}`,
      endAbout: 'Its unusual days are shown again, to everybody in your organization.',
      ended: (series: string): string => `${series} is shown again.`,
    },
    days: {
      about: 'How certain the days of each source are, and who said so.',
      title: 'Days of the sources',
      source: 'Source',
      days: 'Days',
      state: 'State',
      states: { open: 'Open: more may come', complete: 'Complete', final: 'Final' },
      by: 'Said by',
      nobody: 'nobody',
      speakers: {
        import: 'an import',
        person: 'a person',
        rule: 'a rule of the source',
        time: 'the time until which it is complete',
      },
      left: (count: number): string => `${count} more are not shown: choose fewer days.`,
      none: 'Your token sees no source on these days. Choose other days, or import statistics of these.',
      changes: 'Corrections',
      changesAbout:
        'Days that a source replaced, and final days that it added to: what changed of the rows that your token sees.',
      changesNone: 'No day that your token sees was corrected.',
      change: 'Change',
      changed: { replaced: 'Replaced', added: 'Added to' },
      wasFinal: 'was final',
      before: 'Before',
      after: 'After',
      impressions: (count: string): string => `${count} ${plural(count, 'impression', 'impressions')}`,
      more: 'Show earlier ones',
    },
  },
} as const;
