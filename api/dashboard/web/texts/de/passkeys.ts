import type { TextsOf } from '../texts.ts';

/** Passkeys: a second factor, or a log-in of their own. */
export const passkeys: TextsOf<'passkeys'> = {
  passkeys: {
    title: 'Passkeys',
    description:
      'Ein Fingerabdruck, ein Gesicht, eine PIN oder ein Sicherheitsschlüssel: nach dem Passwort anstelle eines Codes, und auch für eine Anmeldung ohne Passwort.',
    name: 'Name',
    nameHint: 'Zum Wiedererkennen, etwa „Smartphone“.',
    nameMissing: 'Geben Sie einen Namen ein.',
    since: 'Hinzugefügt',
    used: 'Zuletzt verwendet',
    never: 'Nie',
    stopped: 'Gesperrt',
    stoppedText:
      'Der Zähler eines gesperrten Passkeys ist rückwärts gelaufen; es kann also eine Kopie geben. Entfernen Sie ihn und fügen Sie einen neuen hinzu.',
    unsupported: 'Passkeys funktionieren hier nicht: Sie brauchen https und einen Hostnamen.',
    add: 'Passkey hinzufügen',
    added: 'Der Passkey ist hinzugefügt.',
    next: 'Weiter',
    rename: 'Umbenennen',
    renameTitle: (name) => `Passkey umbenennen: ${name}`,
    remove: 'Entfernen',
    removeTitle: (name) => `Passkey entfernen: ${name}`,
    removeText: 'Danach kann sich niemand mehr damit anmelden. Ohne zweiten Faktor genügt das Passwort.',
    removed: 'Der Passkey ist entfernt.',
    logIn: 'Mit einem Passkey anmelden',
    use: 'Passkey verwenden',
    cancelled: 'Der Browser hat keinen Passkey geliefert. Versuchen Sie es noch einmal.',
    none: 'Sie haben hier keinen Passkey. Geben Sie einen Code ein.',
    wrong:
      'Dieser Passkey ist unbekannt oder ungültig. Versuchen Sie es noch einmal oder melden Sie sich anders an.',
  },
};
