import type { TextsOf } from '../texts.ts';

/** Log-in with an OpenID provider, and its settings. */
export const provider: TextsOf<'provider'> = {
  provider: {
    with: (name, organization) =>
      organization === null
        ? `Se connecter avec ${name}`
        : `Se connecter avec ${name}, le fournisseur de ${organization}`,
    or: 'ou',
    away: 'Le fournisseur ne répond pas. Connectez-vous par mot de passe ou réessayez plus tard. Si cela dure, demandez à un admin : la page de l’équipe peut tester le fournisseur.',
    problems: {
      over: 'La connexion a pris trop de temps ou a été terminée ailleurs. Recommencez.',
      away: 'Le fournisseur ne répond pas. Connectez-vous par mot de passe ou réessayez plus tard. Si cela dure, demandez à un admin : la page de l’équipe peut tester le fournisseur.',
      refused: 'Le fournisseur a refusé la connexion. Recommencez, ou demandez-y un accès.',
      wrong:
        'La réponse du fournisseur ne correspond pas à cette connexion et n’a pas été acceptée. Recommencez. Si cela dure, demandez à un admin de tester le fournisseur sur la page de l’équipe.',
      'no-email':
        'Le fournisseur ne donne pas votre adresse e-mail. Demandez-lui de la partager avec ce site.',
      unverified: 'Le fournisseur ne dit pas que votre adresse e-mail est vérifiée. Vérifiez-la chez lui.',
      unknown:
        'Vous n’avez pas ici de compte que ce fournisseur peut ouvrir. Demandez une invitation à un admin de votre organisation.',
      'no-group': 'Vous n’êtes dans aucun groupe autorisé. Adressez-vous au fournisseur.',
      linked:
        'Le compte de votre adresse e-mail appartient à une autre personne du fournisseur. Demandez à l’opérateur de le délier.',
    },
    title: 'Connexion par OpenID Connect',
    text: 'Les membres se connectent chez votre propre fournisseur. Il n’ouvre que les comptes de cette organisation ; les mots de passe restent valables, et un second facteur configuré ici est demandé ici.',
    off: 'Aucun fournisseur n’est configuré.',
    setUp: 'Configurer un fournisseur',
    change: 'Modifier',
    remove: 'Supprimer le fournisseur',
    removeText:
      'Met fin aux sessions que le fournisseur a ouvertes. Les utilisateurs restent ; sans mot de passe, il leur faut un lien pour en choisir un.',
    removed: 'Le fournisseur est supprimé.',
    saved: 'Le fournisseur est enregistré.',
    register: 'À déclarer chez le fournisseur, pour le flux « authorization code » :',
    redirectUri: 'URI de redirection',
    logOutUri: 'URI de redirection après la déconnexion',
    logInUrl: 'Votre adresse de connexion',
    name: 'Nom pour le bouton',
    issuer: 'Issuer',
    issuerHint: 'Une URL, comme dans la documentation du fournisseur.',
    clientId: 'ID client',
    clientSecret: 'Secret du client',
    secretHint: 'Il n’est plus affiché. Laissez le champ vide pour le garder.',
    enabled: 'Permettre la connexion par ce fournisseur',
    enabledHint: 'Désactivé, les sessions qu’il a ouvertes prennent fin.',
    makesUsers: 'Créer un utilisateur à la première connexion',
    makesUsersHint: 'Seulement des domaines e-mail saisis par l’opérateur.',
    groupsClaim: 'Claim des groupes',
    adminGroups: 'Groupes des admins',
    memberGroups: 'Groupes des membres',
    groupsHint: 'Un par ligne. Sans groupe, les rôles restent tels quels.',
    domains: 'Domaines e-mail',
    domainsHint:
      'Un par ligne. Seuls les opérateurs les changent : les personnes qui y ont une adresse sont envoyées à ce fournisseur.',
    missing: 'Saisissez une valeur.',
    isOn: 'Activé',
    isOff: 'Désactivé',
    try: 'Tester',
    tried: 'Tout va bien : la connexion est possible.',
    faults: {
      unreachable:
        'L’issuer est injoignable. Vérifiez son URL ; dans un réseau privé ou sans TLS, l’opérateur doit le nommer dans OIDC_PRIVATE_HOSTS.',
      'no-discovery': 'L’issuer n’a pas de document de découverte. Son URL s’arrête avant /.well-known.',
      'other-issuer':
        'Le document de découverte est celui d’un autre issuer. Saisissez l’issuer exactement comme il y figure ; celui d’un seul locataire, pas un commun.',
      'no-endpoints': 'Le document de découverte ne nomme pas de pages de connexion, ou pas de clés.',
      'no-pkce': 'Le fournisseur ne dit pas qu’il accepte PKCE avec S256. Autorisez-le pour ce client.',
      'no-keys': 'Les clés du fournisseur sont illisibles.',
      'wrong-client':
        'Le fournisseur refuse l’ID client ou le secret. Saisissez les deux à nouveau ; le secret a peut-être expiré.',
      'redirect-uri':
        'Le fournisseur refuse l’URI de redirection. Déclarez-la exactement comme elle est affichée.',
    },
  },
};
