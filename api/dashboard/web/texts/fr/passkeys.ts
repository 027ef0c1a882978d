import type { TextsOf } from '../texts.ts';

/** Passkeys: a second factor, or a log-in of their own. */
export const passkeys: TextsOf<'passkeys'> = {
  passkeys: {
    title: 'Clés d’accès',
    description:
      'Une empreinte, un visage, un code PIN ou une clé de sécurité : demandés après le mot de passe à la place d’un code, et valables pour se connecter sans mot de passe.',
    name: 'Nom',
    nameHint: 'Pour la reconnaître, par exemple Téléphone.',
    nameMissing: 'Saisissez un nom.',
    since: 'Ajoutée',
    used: 'Dernière utilisation',
    never: 'Jamais',
    stopped: 'Bloquée',
    stoppedText:
      'Le compteur d’une clé bloquée a reculé : il en existe peut-être une copie. Supprimez-la et ajoutez-en une nouvelle.',
    unsupported: 'Les clés d’accès ne fonctionnent pas ici : il faut https et un nom d’hôte.',
    add: 'Ajouter une clé d’accès',
    added: 'La clé d’accès est ajoutée.',
    next: 'Suivant',
    rename: 'Renommer',
    renameTitle: (name) => `Renommer la clé d’accès : ${name}`,
    remove: 'Supprimer',
    removeTitle: (name) => `Supprimer la clé d’accès : ${name}`,
    removeText:
      'Plus personne ne pourra s’en servir pour se connecter. Sans second facteur, le mot de passe suffit.',
    removed: 'La clé d’accès est supprimée.',
    logIn: 'Se connecter avec une clé d’accès',
    use: 'Utiliser une clé d’accès',
    cancelled: 'Le navigateur n’a fourni aucune clé d’accès. Réessayez.',
    none: 'Vous n’avez pas de clé d’accès ici. Saisissez un code.',
    wrong: 'Cette clé d’accès est inconnue ou non valide. Réessayez ou connectez-vous autrement.',
  },
};
