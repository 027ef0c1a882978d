import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

/** A notification that was wrong, and the one that corrects it. */
export const corrections: TextsOf<'correction'> = {
  correction: {
    correct: 'Berichtigen',
    correctThis: 'Diese Benachrichtigung berichtigen',
    title: 'Benachrichtigung berichtigen',
    act: 'Berichtigung senden',
    actNow: 'Anhalten und berichtigen',
    same: 'Ändern Sie den Titel, den Text oder den Link.',
    done: 'Die Berichtigung ist unterwegs.',
    stops:
      'Was noch nicht gesendet ist, wird jetzt angehalten; auch wer sie gerade bekommt, bekommt die Berichtigung.',
    goesTo: (count: string): string =>
      `Die Berichtigung geht an ${count === '1' ? 'die Person' : `die ${count} Personen`}, deren Push-Dienst sie angenommen hat.`,
    replaces: 'Ihre Browser zeigen sie anstelle des ersten Textes und melden sich erneut.',
    onApple:
      'Safari auf iPhone und iPad kann Benachrichtigungen nicht ersetzen: Dort steht die Berichtigung neben der ersten.',
    corrected: 'Berichtigt',
    corrects: 'Dies ist die Berichtigung von',
    readers: 'Wer die berichtigte Benachrichtigung bekam',
    number: (id: number): string => `Benachrichtigung ${id}`,
    seenBefore: (count: string): string =>
      `${count} ${plural(count, 'Person hatte', 'Personen hatten')} diesen Text vor der Berichtigung gesehen.`,
    seenUnknown: 'Wie viele diesen Text vorher gesehen hatten, ist gerade nicht bekannt.',
    seenRight: (count: string): string =>
      `${count} ${plural(count, 'Person hat', 'Personen haben')} den richtigen gesehen:`,
  },
};
