/** A notification that waits for its time, and is changed until then. */
export const changes = {
  change: {
    change: 'Change',
    changeThis: 'Change this delivery',
    title: 'Change the notification',
    act: 'Save',
    done: 'Change saved.',
    future: 'Choose a time in the future.',
    now: 'Send now',
    nowTitle: 'Send it now?',
    nowAbout: 'It is sent now instead of at its time. The audience is fixed when it starts.',
    sentNow: 'It is being sent.',
    versions: 'Earlier versions',
    versionsAbout: 'What it said before it was changed.',
    replaced: (time: string, who: string): string => `Until ${time}, changed by ${who}`,
    wasFor: (time: string): string => `For ${time}`,
  },
} as const;
