import type { TextsOf } from '../texts.ts';

const count = (most: number, one: string, many: string): string => (most < 2 ? one : many);

/** The texts of the frame, and common words. */
export const shell: TextsOf<
  'product' | 'titleOf' | 'skip' | 'roles' | 'nav' | 'actions' | 'pending' | 'problems' | 'never' | 'none'
> = {
  product: 'Broadside',
  titleOf: (page: string): string => `${page} · Broadside`,
  skip: 'Aller au contenu',
  roles: {
    names: { reader: 'Lecteur', author: 'Auteur', approver: 'Approbateur', member: 'Membre', admin: 'Admin' },
    notes: {
      reader: 'Vous êtes lecteur de ce site : vous voyez tout et ne modifiez rien.',
      author: 'Vous êtes auteur sur ce site : ce que vous écrivez doit être approuvé.',
      approver: 'Vous êtes approbateur sur ce site : ses réglages reviennent aux membres et aux admins.',
    },
    needs: (role: string): string =>
      `Il faut le rôle ${role} sur ce site : demandez à un admin de votre organisation.`,
  },
  nav: {
    label: 'Navigation principale',
    language: 'Langue',
    send: 'Envoi',
    readers: 'Lecteurs',
    results: 'Résultats',
    setUp: 'Mise en place du site',
    organization: 'Organisation',
    open: 'Ouvrir le menu',
    close: 'Fermer le menu',
    overview: 'Vue d’ensemble',
    compose: 'Rédiger',
    drafts: 'Brouillons',
    deliveries: 'Envois',
    campaigns: 'Campagnes',
    subscribers: 'Abonnés',
    segments: 'Segments',
    categories: 'Catégories',
    analytics: 'Statistiques',
    standing: 'Délivrabilité',
    reports: 'Rapports',
    welcome: 'Bienvenue',
    prompts: 'Demandes d’abonnement',
    integration: 'Intégration',
    appSettings: 'Réglages du site',
    keys: 'Clés VAPID',
    apps: 'Tous les sites',
    allApps: 'Tous les sites',
    newApp: 'Nouveau site',
    settings: 'Réglages',
    tokens: 'Jetons d’API',
    team: 'Équipe',
    auditLog: 'Journal d’audit',
    alerts: 'Alertes',
    webhooks: 'Webhooks',
    organizations: 'Organisations',
    account: 'Votre compte',
    switchApp: 'Changer de site',
    chooseApp: 'Choisir un site',
    breadcrumbs: 'Fil d’Ariane',
    user: 'Votre menu',
  },
  actions: {
    save: 'Enregistrer',
    cancel: 'Annuler',
    delete: 'Supprimer',
    edit: 'Modifier',
    close: 'Fermer',
    create: 'Créer',
    retry: 'Réessayer',
    copy: 'Copier',
    copied: 'Copié',
    logOut: 'Se déconnecter',
    back: 'Retour',
    add: 'Ajouter',
    remove: 'Retirer',
    actionsOf: (name: string): string => `Actions pour ${name}`,
  },
  pending: 'Chargement…',
  problems: {
    title: 'Un problème est survenu',
    loading: 'Échec du chargement',
    unexpected:
      'Cette page a rencontré une erreur. Rechargez-la. Si cela se reproduit, contactez l’administrateur de votre Broadside.',
    offline: 'Vous êtes hors ligne. Réessayez quand vous serez connecté.',
    offlineTitle: 'Vous êtes hors ligne',
    offlineAbout:
      'Rien n’est envoyé tant que vous n’êtes pas reconnecté. Ce que vous écrivez reste dans cet onglet ; les chiffres peuvent être anciens.',
    pageMissing: 'Cette page n’a pas pu être chargée. Vérifiez votre connexion, puis réessayez.',
    late: 'Broadside met trop de temps à répondre. Réessayez.',
    notFoundTitle: 'Page introuvable',
    notFound: 'Elle a peut-être été supprimée, ou l’adresse est erronée.',
    toStart: 'Aller à la page d’accueil',
    waiting: (seconds: number): string =>
      `Broadside est occupé. Nouvelle tentative dans ${seconds} ${count(seconds, 'seconde', 'secondes')}…`,
    ofStatus: (status: number): string =>
      statuses[status] ?? (status >= 500 ? broken : 'La requête a échoué.'),
  },
  never: 'jamais',
  none: 'aucun',
};

const broken =
  'Broadside n’a pas pu aller au bout à cause d’une erreur interne. Réessayez. Si cela se reproduit, contactez l’administrateur de votre Broadside.';

const statuses: Readonly<Record<number, string>> = {
  0: 'Broadside ne répond pas. Vérifiez votre connexion et réessayez.',
  400: 'Broadside n’a pas compris cette demande. Rechargez la page et réessayez.',
  401: 'Votre session a pris fin.',
  403: 'Votre rôle ne le permet pas. Demandez à un admin de votre organisation.',
  404: 'Cet élément n’existe plus. Quelqu’un l’a peut-être supprimé.',
  409: 'Quelqu’un d’autre a fait une modification entre-temps. Rechargez la page et réessayez.',
  413: 'La requête est trop volumineuse.',
  422: 'Vérifiez le formulaire : certains champs ne sont pas valides.',
  429: 'Trop de requêtes. Attendez une minute et réessayez.',
  503: 'Broadside est occupé ou en cours de démarrage. Réessayez dans un instant.',
};
