import type { TextsOf } from '../texts.ts';

/** Passkeys: ein zweiter Faktor oder eine eigene Anmeldung. */
export const passkeys: TextsOf<'passkeys'> = {
  passkeys: {
    title: 'Passkeys',
    description:
      'Ein Fingerabdruck, ein Gesicht, eine PIN oder ein Sicherheitsschlüssel: nach dem Passwort anstelle eines Codes, und auch für eine Anmeldung ohne Passwort.',
    name: 'Name',
    nameHint: 'An dem Sie ihn wiedererkennen, etwa Telefon.',
    nameMissing: 'Tragen Sie einen Namen ein.',
    since: 'Hinzugefügt',
    used: 'Zuletzt benutzt',
    never: 'Nie',
    stopped: 'Gesperrt',
    stoppedText:
      'Ein gesperrter Passkey hat rückwärts gezählt, es kann also eine Kopie geben. Entfernen Sie ihn und fügen Sie einen neuen hinzu.',
    unsupported: 'Dieser Browser hat hier keine Passkeys: Sie brauchen https und einen Hostnamen.',
    add: 'Passkey hinzufügen',
    added: 'Der Passkey ist hinzugefügt.',
    next: 'Weiter',
    rename: 'Umbenennen',
    renameTitle: (name) => `Passkey umbenennen: ${name}`,
    remove: 'Entfernen',
    removeTitle: (name) => `Passkey entfernen: ${name}`,
    removeText: 'Er lässt dann niemanden mehr ein. Ohne zweiten Faktor genügt das Passwort.',
    removed: 'Der Passkey ist entfernt.',
    logIn: 'Mit einem Passkey anmelden',
    use: 'Passkey benutzen',
    cancelled: 'Der Browser hat keinen Passkey gegeben. Versuchen Sie es noch einmal.',
    none: 'Sie haben hier keinen Passkey. Geben Sie einen Code ein.',
    wrong:
      'Dieser Passkey ist hier nicht bekannt oder war nicht richtig. Versuchen Sie es noch einmal oder melden Sie sich anders an.',
  },
};
