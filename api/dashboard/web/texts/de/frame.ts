import type { TextsOf } from '../texts.ts';

/** Of the frame and its menu of commands, and of tables: nothing of it is on the page to log in. */
export const frame: TextsOf<'commands' | 'scheme' | 'table'> = {
  commands: {
    open: 'Suche',
    title: 'Suche und Befehle',
    placeholder: 'Seite, Benachrichtigung, Segment, Abonnent …',
    hint: 'Mit den Pfeiltasten wählen, mit der Eingabetaste öffnen.',
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
      'Kürzel ohne Strg oder ⌘. Sie wirken nicht, während Sie in ein Feld schreiben. Gespeichert in diesem Browser.',
    does: {
      menu: 'Suchen, eine Seite öffnen oder einen Befehl ausführen',
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
  scheme: { label: 'Farben', light: 'Hell', dark: 'Dunkel', auto: 'System' },
  table: {
    isNew: 'neu',
    before: (value: string): string => `von ${value}`,
    columns: 'Spalten',
    filters: (active: number): string => (active === 0 ? 'Filter' : `Filter (${active})`),
    page: (page: number, pages: number): string => `Seite ${page} von ${pages}`,
    range: (from: number, to: number, total: string): string => `${from}–${to} von ${total}`,
    pages: 'Seiten',
    acts: 'Aktionen',
    controls: {
      first: 'Erste Seite',
      last: 'Letzte Seite',
      previous: 'Vorherige Seite',
      next: 'Nächste Seite',
    },
  },
};
