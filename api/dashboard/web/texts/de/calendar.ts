import type { TextsOf } from '../texts.ts';

/** What is sent when. */
export const calendar: TextsOf<'calendar'> = {
  calendar: {
    title: 'Kalender',
    zone: (zone: string): string =>
      `Was gesendet wurde, was geplant ist und was erwartet wird. Zeiten in ${zone}.`,
    view: 'Ansicht',
    views: { month: 'Monat', week: 'Woche' },
    before: { month: 'Voriger Monat', week: 'Vorige Woche' },
    after: { month: 'Nächster Monat', week: 'Nächste Woche' },
    today: 'Heute',
    caption: 'Benachrichtigungen nach Tagen',
    add: (day: string): string => `Eine für ${day} schreiben`,
    more: (count: number): string => `${count} weitere`,
    expected: 'erwartet',
    byReader: 'zur Ortszeit der Leser',
    sentTo: (count: string): string => `an ${count} gesendet`,
    empty: 'In diesen Tagen ist nichts gesendet, geplant oder erwartet.',
    truncated: 'Es gibt mehr, als hierher passt: Wechseln Sie zur Wochenansicht.',
    move: (name: string): string => `${name} verschieben`,
    act: 'Verschieben',
    moved: (name: string, time: string): string => `${name} ist für ${time} geplant.`,
    undo: 'Rückgängig',
  },
};
