import type { TextsOf } from '../texts.ts';

/** One notification in several languages, and readers' tags in it. */
export const languages: TextsOf<'languages'> = {
  languages: {
    languages: 'Sprachen',
    about:
      'Leser erhalten die Sprache ihres Browsers, wenn Sie sie hier schreiben. Alle anderen erhalten den Text oben.',
    main: 'Sprache des Textes oben',
    mainAbout: 'Screenreader sprechen ihn entsprechend aus.',
    add: 'Sprache hinzufügen',
    none: 'Sprache nicht gefunden',
    remove: (name: string): string => `${name} entfernen`,
    titleIn: (name: string): string => `Titel, ${name}`,
    bodyIn: (name: string): string => `Text, ${name}`,
    urlIn: (name: string): string => `Link, ${name}`,
    urlAbout: 'Leer: der Link oben.',
    iconIn: (name: string): string => `Icon, ${name}`,
    iconAbout: 'Leer: das Icon oben.',
    buttonIn: (number: number, name: string): string => `Schaltfläche ${number}, ${name}`,
    preview: 'Vorschau in',
    mainText: 'Haupttext',
    texts: 'Texte',
    textsAbout: 'Jeder Leser erhält den Text in der Sprache seines Browsers.',
    everyoneElse: 'Alle anderen',
    everyoneElseIn: (name: string): string => `${name} und alle anderen`,
    personal: 'Der Text nennt Tags des Lesers; jede Nachricht hat eigene Worte.',
    insert: 'In den Text einfügen',
    tag: {
      insert: 'Tag des Lesers',
      about: 'Jeder Leser sieht den Wert seines eigenen Tags.',
      key: 'Tag',
      otherwise: 'Für Leser ohne dieses Tag',
      otherwiseExample: 'Leser',
      act: 'Einfügen',
    },
  },
};
