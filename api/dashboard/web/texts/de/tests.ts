import type { TextsOf } from '../texts.ts';

export const tests: TextsOf<'tests'> = {
  tests: {
    title: 'Testbrowser',
    description:
      'Die eigenen Browser und Smartphones Ihres Teams. Ein Test geht nur an sie, und keine Zahl zählt ihn mit.',
    empty:
      'Fügen Sie die Browser hinzu, die Sie verwenden: diesen, den auf Ihrem Smartphone, den am Newsdesk.',
    name: 'Name',
    where: 'Browser',
    by: 'Hinzugefügt von',
    at: 'Hinzugefügt',
    picked: 'Nicht über einen Link registriert: Wer freigibt, kann hierhin Tests senden.',
    gone: 'Abgemeldet',
    add: 'Browser hinzufügen',
    addAbout: (minutes: number): string =>
      `Öffnen Sie Ihre Website über diesen Link, und zwar in dem Browser, den Sie hinzufügen möchten. Er gilt für einen Browser und ${minutes} Minuten.`,
    openHere: 'Website in diesem Browser öffnen',
    elsewhere: 'Für Ihr Smartphone oder einen anderen Browser',
    waiting:
      'Wartet auf den Browser. Wenn er noch nicht abonniert hat, erlauben Sie auf der Website Benachrichtigungen.',
    added: (name: string): string => `${name} ist jetzt ein Testbrowser.`,
    ended: 'Dieser Link gilt nicht mehr.',
    another: 'Neuen Link erstellen',
    rename: 'Umbenennen',
    renameNamed: (name: string): string => `${name} umbenennen`,
    newName: 'Neuer Name',
    renamed: 'Der Name ist gespeichert.',
    nameMissing: 'Geben Sie einen Namen ein.',
    remove: 'Entfernen',
    removeNamed: (name: string): string => `${name} entfernen`,
    removeTitle: (name: string): string => `${name} entfernen?`,
    removeText: 'Er bekommt keine Tests mehr. Sein Abonnement bleibt.',
    removed: (name: string): string => `${name} wurde entfernt.`,
    use: 'Für Tests verwenden',
    useAbout:
      'Dieser Browser bekommt die Tests, die Ihr Team sendet, bevor eine Benachrichtigung hinausgeht.',
    used: (name: string): string => `Er ist der Testbrowser „${name}“.`,
    manage: 'Testbrowser',
    sendTitle: 'Test senden',
    to: 'An',
    noneChosen: 'Wählen Sie mindestens einen.',
    about:
      'Sie bekommen ihn jetzt, so wie Ihre Leser ihn bekämen. Keine Zahl und kein Frequenzlimit zählt ihn mit.',
    send: 'Test senden',
    again: 'Noch einmal senden',
    results: 'Ergebnis',
    removedSince: 'Seitdem entfernt',
    unknown: 'Was die Browser gemeldet haben, lässt sich gerade nicht lesen.',
    states: {
      waiting: 'Unterwegs',
      not_sent: 'Nicht abonniert',
      failed: 'Fehlgeschlagen',
      accepted: 'Angenommen',
      displayed: 'Angezeigt',
      clicked: 'Geklickt',
    },
  },
};
