import type { TextsOf } from '../texts.ts';

/** Logging in and out. */
export const session: TextsOf<'logIn' | 'loggedOut'> = {
  logIn: {
    title: 'Connexion',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
    ended: 'Votre session a expiré. Connectez-vous pour reprendre où vous en étiez.',
    forgot: 'Mot de passe oublié ?',
    invited:
      'Vous avez reçu une invitation ? Ouvrez son lien pour choisir un mot de passe. Pas de lien ? Demandez à un admin de votre organisation.',
    tooMany: 'Trop de tentatives de connexion. Attendez 15 minutes, puis réessayez.',
  },
  loggedOut: 'Vous êtes déconnecté.',
};
