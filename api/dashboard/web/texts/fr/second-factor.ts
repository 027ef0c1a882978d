import type { TextsOf } from '../texts.ts';

/** The second factor of a log-in. */
export const secondFactor: TextsOf<'secondFactor'> = {
  secondFactor: {
    title: 'Second facteur',
    description:
      'Un code d’une application sur votre téléphone, demandé à la connexion après le mot de passe.',
    required: 'Votre organisation exige un second facteur. Configurez-en un pour continuer.',
    on: 'Activé',
    left: (count: number): string => `Codes de secours restants : ${count}.`,
    renew: 'Nouveaux codes de secours',
    renewText: 'Saisissez votre mot de passe. Les anciens codes de secours ne seront plus valables.',
    remove: 'Retirer le second facteur',
    removeText: 'Saisissez votre mot de passe. Ensuite, le mot de passe seul suffira à la connexion.',
    removed: 'Votre second facteur est retiré.',
    setUp: 'Configurer un second facteur',
    addApp: 'Ajouter une application d’authentification',
    setUpText: 'Il vous faut une application d’authentification. Saisissez d’abord votre mot de passe.',
    next: 'Suivant',
    keyText:
      'Ajoutez un compte à votre application d’authentification avec cette clé (basé sur le temps, 6 chiffres), puis saisissez le code affiché.',
    key: 'La clé',
    openApp: 'L’ouvrir dans une application de cet appareil',
    confirm: 'Confirmer',
    code: 'Code',
    codeMissing: 'Saisissez un code.',
    ask: 'Saisissez le code de votre application d’authentification, ou un code de secours.',
    go: 'Continuer',
    codesTitle: 'Vos codes de secours',
    codes: 'Codes de secours',
    codesOnce: 'Copiez-les maintenant et gardez-les en lieu sûr : ils ne seront plus affichés.',
    codesUse: 'Chacun sert une fois, à la place d’un code, si vous perdez votre téléphone.',
    codesKept: 'Je les ai copiés',
    ruleTitle: 'Second facteur pour tous',
    ruleText:
      'Les personnes qui n’en ont pas ne peuvent que le configurer. Les jetons d’API ne sont pas concernés.',
    rule: 'Exiger un second facteur',
    ruleSaved: 'La règle est enregistrée.',
    reset: 'Réinitialiser le facteur',
    resetTitle: (name: string): string => `Réinitialiser le facteur : ${name}`,
    resetQuestion: (name: string): string => `Réinitialiser le second facteur de ${name} ?`,
    resetText:
      'Pour un collègue qui a perdu téléphone et codes de secours. Assurez-vous que la demande vient bien de lui.',
    resetAct: 'Réinitialiser le second facteur',
    resetDone: (name: string): string => `${name} n’a plus de second facteur.`,
  },
};
