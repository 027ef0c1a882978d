import type { TextsOf } from '../texts.ts';

/** Of the menu of commands, and of the list of keys. */
export const commands: TextsOf<'commands'> = {
  commands: {
    open: 'Suche',
    title: 'Gehen oder handeln',
    placeholder: 'Eine Seite, Benachrichtigung, ein Segment, ein Abonnent …',
    hint: 'Pfeiltasten wählen, Enter öffnet.',
    searching: 'Suche läuft …',
    none: 'Nichts gefunden.',
    act: 'Aktion',
    delivery: 'Benachrichtigung',
    campaign: 'Kampagne',
    segment: 'Segment',
    subscriber: 'Abonnent',
    compose: 'Benachrichtigung verfassen',
    sheet: 'Tastenkürzel',
    single: 'Kürzel mit einzelnen Tasten',
    singleHint:
      'Die ohne Strg oder ⌘. Sie wirken nie, während Sie in ein Feld schreiben. Gilt in diesem Browser.',
    does: {
      menu: 'Suchen, eine Seite öffnen oder etwas tun',
      sheet: 'Diese Liste',
      compose: 'Benachrichtigung verfassen',
      overview: 'Zur Übersicht',
      deliveries: 'Zu den Sendungen',
      subscribers: 'Zu den Abonnenten',
      segments: 'Zu den Segmenten',
      analytics: 'Zur Analyse',
      send: 'In einer neuen Benachrichtigung: weiter zum Senden',
      close: 'Dialog oder Menü schließen',
    },
  },
};
