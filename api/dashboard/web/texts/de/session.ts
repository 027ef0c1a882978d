import type { TextsOf } from '../texts.ts';

/** Logging in and out. */
export const session: TextsOf<'logIn' | 'loggedOut'> = {
  logIn: {
    title: 'Anmelden',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    ended: 'Ihre Sitzung ist abgelaufen. Melden Sie sich an, um dort weiterzumachen, wo Sie waren.',
    forgot: 'Passwort vergessen?',
    invited:
      'Eingeladen? Öffnen Sie Ihren Einladungslink, um ein Passwort festzulegen. Kein Link? Fragen Sie einen Admin Ihrer Organisation.',
    tooMany: 'Zu viele fehlgeschlagene Anmeldungen. Warten Sie 15 Minuten und versuchen Sie es erneut.',
  },
  loggedOut: 'Sie sind abgemeldet.',
};
