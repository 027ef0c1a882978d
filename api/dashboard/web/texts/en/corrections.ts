import { plural } from './plural.ts';

/** A notification that was wrong, and the one that corrects it. */
export const corrections = {
  correction: {
    correct: 'Correct',
    correctThis: 'Correct this delivery',
    title: 'Correct this notification',
    act: 'Send correction',
    actNow: 'Stop and correct',
    same: 'Change the title, the text or the link.',
    done: 'The correction is on its way.',
    stops:
      'What has not been sent yet is stopped now; readers whose message is in flight get the correction, too.',
    goesTo: (count: string): string =>
      `The correction goes to ${count === '1' ? 'the 1 reader' : `the ${count} readers`} whose push service accepted it.`,
    replaces: 'Their browsers show it in place of the first text, and alert them again.',
    onApple:
      'Safari on iPhone and iPad cannot replace a notification: there the correction stands beside the first.',
    corrected: 'Corrected',
    corrects: 'This is the correction of',
    readers: 'Readers who got the notification that it corrects',
    number: (id: number): string => `notification ${id}`,
    seenBefore: (count: string): string =>
      `${count} ${plural(count, 'reader', 'readers')} had seen this text before the correction.`,
    seenUnknown: 'How many had seen this text before is not known right now.',
    seenRight: (count: string): string =>
      `${count} ${plural(count, 'reader has', 'readers have')} seen the right one:`,
  },
} as const;
