import type { TextsOf } from '../texts.ts';

/** Delivery categories. */
export const categories: TextsOf<'categories'> = {
  categories: {
    title: 'Kategorien',
    description:
      'Themen von Benachrichtigungen, etwa Eilmeldungen oder Sport. Leser, die Kategorien gewählt haben, erhalten nur diese; wer nie gewählt hat, erhält alle.',
    name: 'Name',
    nameMissing: 'Geben Sie einen Namen ein.',
    about: 'Beschreibung',
    aboutHint: 'Für Sie und Ihr Team.',
    id: 'Nummer für das SDK',
    created: 'Erstellt',
    create: 'Neue Kategorie',
    editTitle: (name: string): string => `${name} bearbeiten`,
    deleteTitle: (name: string): string => `${name} löschen`,
    saved: (name: string): string => `${name} wurde gespeichert.`,
    question: (name: string): string => `${name} löschen?`,
    consequence:
      'Gesendete Benachrichtigungen bleiben erhalten. Über diese Kategorie lassen sich keine Leser mehr erreichen.',
    deleteAct: 'Kategorie löschen',
    deleted: (name: string): string => `${name} wurde gelöscht.`,
    emptyTitle: 'Noch keine Kategorien',
    empty:
      'Mit Kategorien wählen Leser ihre Themen. Erstellen Sie die erste und wählen Sie sie beim Senden aus.',
  },
};
