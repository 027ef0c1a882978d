import { locale } from '../language.ts';
import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

const isOne = (count: string): boolean => count === '0' || count === '1';

const places = {
  above: 'Au-dessus de la normale',
  below: 'Au-dessous de la normale',
  within: 'Normal',
} as const;

/** One app at a glance, how it is put into a site, and its keys. */
export const overview: TextsOf<'overview' | 'checks' | 'integration' | 'keys'> = {
  overview: {
    lines: {
      variant: (number: string): string => `Variante ${number}`,
      winner: 'Gagnante',
      before: 'Avant : corrigée',
      after: 'Après : correction',
      test: (count: number): string => `Test A/B, envois : ${count}`,
    },
    compose: 'Nouvelle notification',
    readers: 'Lecteurs',
    active: 'Lecteurs',
    activeHint: 'Abonnés actuellement',
    reachable: 'Joignables',
    reachableHint: (share: string): string => `${share} d’entre eux ont été vus ces 30 derniers jours`,
    joined: 'Nouveaux',
    week: 'Ces 7 derniers jours',
    left: 'Partis',
    leftHint: 'Désabonnés, 7 derniers jours',
    net: 'Solde',
    netHint: 'Nouveaux moins partis',
    last: 'Dernières notifications',
    lastAbout: 'Chacune à côté du taux de clics habituel à son heure, en semaine ou le week-end.',
    lastNone: 'Rien n’a encore été envoyé.',
    allDeliveries: 'Tous les envois',
    young: 'Les clics continuent d’arriver',
    typical: (from: string, to: string, place: 'above' | 'below' | 'within' | null): string =>
      `${place === null ? '' : `${places[place]} : `}${from} – ${to}`,
    scheduled: 'Programmés',
    scheduledNone: 'Rien n’est programmé.',
    needs: {
      handed: 'vous a été transmis.',
      title: 'À surveiller',
      failed: 'a échoué : aucun lecteur n’a été atteint.',
      troubled: 'a échoué pour beaucoup de lecteurs.',
      stuck: 'est en cours d’envoi depuis plus d’une demi-heure.',
      decide: 'attend que vous choisissiez la gagnante.',
      unreadable: 'ne peut pas être lu : rien de nouveau n’en est envoyé.',
      drafts: (count: number): string =>
        plural(
          count,
          'a un brouillon qui attend votre décision.',
          `a ${count} brouillons qui attendent votre décision.`,
        ),
      service: (service: string, count: string): string =>
        `${service} a refusé ${count} ${plural(count, 'message', 'messages')} ces deux derniers jours.`,
      throttled: (service: string, times: number, shown: string): string =>
        `${service} a limité ce site ${plural(times, 'une fois', `${shown} fois`)} aujourd’hui ou hier (UTC) : il envoyait plus vite que ${service} ne l’accepte.`,
    },
  },
  checks: {
    title: 'Mise en place',
    hint: 'Les étapes pour que vos notifications atteignent vos lecteurs.',
    states: {
      done: 'fait',
      next: 'à faire maintenant',
      waits: 'plus tard',
      wrong: 'à corriger',
      advice: 'recommandé',
    },
    key: {
      done: 'Le site a sa clé VAPID',
      open: 'Le site n’a pas de clé VAPID',
      hint: (): string =>
        'Elle identifie le site auprès des services de push. Lancez un renouvellement pour en créer une.',
      act: (): string => 'Voir les clés',
    },
    https: {
      done: 'L’adresse du site commence par https',
      open: 'Le site n’est pas servi en https',
      hint: (): string =>
        'Les navigateurs n’autorisent les notifications que sur des pages sécurisées. Servez le site en https et modifiez son adresse ici.',
      act: (): string => 'Voir les réglages',
    },
    subscribed: {
      done: 'Un lecteur s’est abonné sur votre site : l’extrait de code fonctionne',
      open: 'Placez l’extrait de code dans votre site et abonnez-vous',
      hint: (readers: number): string =>
        readers === 0
          ? 'Personne ne s’est encore abonné. Le premier abonné apparaîtra ici automatiquement.'
          : 'Vos abonnés ont été importés, et aucun de leurs navigateurs n’est passé sur votre site depuis. Le premier apparaîtra ici automatiquement.',
      hintHere:
        'Essayez d’abord sans site : activez les notifications sur la page d’exemple de ce Broadside. Le premier abonné apparaîtra ici automatiquement.',
      act: (): string => 'Voir l’extrait de code',
    },
    sent: {
      done: 'Une notification a été envoyée',
      open: 'Envoyez la première notification',
      hint: (readers: number): string =>
        readers <= 1
          ? 'Essayez sur vous-même : pour l’instant, il n’y a que vous pour la recevoir.'
          : 'Elle sera envoyée à tous. Pour un test, choisissez un segment à vous, ou faites une simulation : elle n’atteint personne.',
      act: (readers: number): string =>
        readers <= 1 ? 'La rédiger' : `Écrire à ${readers.toLocaleString(locale)} lecteurs`,
    },
    icon: {
      done: 'Les notifications ont votre icône',
      open: 'Les notifications n’ont pas encore d’icône',
      hint: (): string =>
        'C’est ce que les lecteurs voient en premier. Sans elle, Chrome sur Android dessine une lettre.',
      act: (): string => 'Choisir une icône',
    },
    iphone: {
      done: 'Les lecteurs avec un iPhone peuvent s’abonner',
      open: 'Les lecteurs avec un iPhone ne peuvent pas encore s’abonner',
      unknown: 'Impossible de savoir si les lecteurs avec un iPhone peuvent s’abonner',
      unknownHint:
        'Votre page d’accueil n’a pas pu être lue depuis Internet et n’a donc pas pu être vérifiée.',
      hint: (): string =>
        'Il manque à votre site quelque chose que les iPhone et iPad demandent. Les autres lecteurs ne sont pas concernés.',
      act: (): string => 'Voir ce qui manque',
    },
  },
  integration: {
    title: 'Intégration',
    description: (site: string): string =>
      `Deux extraits de code installent les notifications sur ${site}. Copiez-les tels quels.`,
    descriptionHere: (site: string): string =>
      `Deux extraits de code installent les notifications sur ${site}. Ils nomment cette machine, que les lecteurs n’atteignent pas : pour essayer ici, ils conviennent ; pour les lecteurs, définissez PUBLIC_BASE_URL avec l’adresse de ce Broadside, redémarrez-le, puis copiez-les.`,
    identifier: 'Identifiant du site',
    worker: '1. Un fichier sur votre site',
    workerHint: (path: string): string =>
      `Il permet aux navigateurs de recevoir les notifications. Enregistrez-le sous ${path}, à la racine de votre site.`,
    page: '2. Un extrait de code dans chaque page',
    pageHint:
      'Avant la balise </body>. Il affiche une cloche dans un coin ; un clic dessus demande l’autorisation.',
    test: '3. L’essai',
    testHint:
      'Ouvrez votre site, cliquez sur la cloche et autorisez les notifications. La vue d’ensemble affiche alors votre premier abonné, et vous pouvez vous envoyer une notification.',
    toOverview: 'Voir la vue d’ensemble',
    tryHere: 'Essayez d’abord dans ce navigateur',
    tryHereHint:
      'La page d’exemple de votre propre Broadside : aucun site requis. Activez-y les notifications, puis rédigez-en une. Elle ne fonctionne que tant que Broadside tourne sur cette machine.',
    openExample: 'Ouvrir la page d’exemple',
    more: 'Autres possibilités',
    existing: 'Votre site a déjà un service worker',
    existingHint:
      'Laissez de côté le fichier de l’étape 1. Placez plutôt cette ligne en tête de votre worker, et indiquez-le dans init avec workerUrl.',
    module: 'Vos pages sont construites avec des modules',
    moduleHint:
      'La même chose sous forme de module ES, avec les types. Les tags répartissent vos lecteurs en segments.',
    moving: {
      title: 'Vous venez d’un autre service',
      hint: 'Les lecteurs importés ne connaissent que l’ancienne adresse de leur worker. Placez-y ce fichier, et indiquez-le dans chaque page.',
      service: 'Service',
      ownServer: 'Votre propre serveur',
      beside: (path: string): string => `À l’ancienne adresse, tant que les deux services envoient : ${path}`,
      worker: (path: string): string => `À l’ancienne adresse, quand l’autre n’envoie plus rien : ${path}`,
      page: 'Dans chaque page, au lieu de l’étape 2',
      guide: 'Guide de la migration complète',
    },
    policy: 'Votre site a une politique de sécurité du contenu (CSP)',
    policyHint: 'Autorisez-y l’adresse de Broadside :',
    policyText: (origin: string): string => `script-src ${origin}; connect-src ${origin}; worker-src 'self'`,
    iphone: {
      title: 'iPhone et iPad',
      hint: 'Safari n’y affiche que les notifications des sites ajoutés à l’écran d’accueil (à partir d’iOS 16.4). Pour cela, votre site doit avoir un manifeste d’application web. Les lecteurs touchent « Partager », « Sur l’écran d’accueil » avec « Ouvrir comme app web » activé, ouvrent le site depuis là et touchent la cloche ; d’ici là, la cloche le leur explique.',
      check: 'Vérifier votre site',
      again: 'Vérifier de nouveau',
      ready: 'Votre site est prêt : les lecteurs peuvent l’ajouter à leur écran d’accueil et s’abonner.',
      missing: 'Les iPhone et iPad ne reçoivent pas encore de notifications. Il manque :',
      unknown: 'Votre site n’a pas pu être vérifié :',
      poor: 'Les iPhone et iPad sont atteints. Ce qui serait mieux :',
      manifest: 'Manifeste : ',
      findings: {
        page_unreachable:
          'La page d’accueil n’a pas pu être lue depuis Internet en 5 secondes. L’adresse des paramètres est-elle juste, et la page publique ?',
        manifest_missing:
          'La page d’accueil n’indique aucun manifeste d’application web. Mettez ceci dans son head : <link rel="manifest" href="/manifest.json">',
        manifest_unreachable:
          'Le manifeste n’a pas pu être lu. Son adresse doit répondre sans connexion, avec 64 Ko au plus.',
        manifest_invalid: 'Le manifeste n’est pas un objet JSON.',
        display:
          'Le manifeste doit contenir "display": "standalone". Sinon, l’icône ouvre Safari, qui n’y a pas de notifications.',
        start_url:
          '"start_url" dans le manifeste doit être une page de ce site, dans son "scope". Sinon, l’icône en ouvre un autre.',
        name: 'Le manifeste doit contenir un "name" : il figure sous l’icône et dans chaque notification.',
        icon: 'L’écran d’accueil n’afficherait pas votre icône. Indiquez un PNG d’au moins 180 × 180 pixels dans "icons", ou comme <link rel="apple-touch-icon">.',
      },
    },
    prompt: 'Demande d’abonnement',
    promptHint:
      'prompt: { kind: "bell" } flotte dans un coin, "bar" s’affiche au bord après quelques secondes, "element" utilise un bouton à vous : { kind: "element", element: "#notify" }. Les textes et les couleurs se règlent. Le navigateur ne demande jamais rien sans un clic.',
  },
  keys: {
    title: 'Clés VAPID',
    description:
      'La clé identifie votre site auprès des services de push, et chaque abonnement est lié à une clé. N’en changez que si la clé privée a pu fuiter.',
    adminsOnly: 'Seuls les admins peuvent en changer.',
    list: 'Clés VAPID',
    id: 'Clé',
    state: 'État',
    subscriptions: 'Abonnements',
    created: 'Création',
    ended: 'Fin',
    copyPublic: 'Copier la clé publique',
    states: {
      active: 'Active',
      retiring: 'Sortante',
      ended: 'En cours de désactivation',
      retired: 'Désactivée',
    },
    rotate: 'Renouveler la clé',
    rotateQuestion: 'Renouveler la clé ?',
    rotateText:
      'Une nouvelle clé devient la clé active. Les lecteurs y passent automatiquement lorsqu’ils visitent votre site ; d’ici là, l’ancienne permet de les atteindre.',
    rotated: 'La nouvelle clé est active. Les lecteurs y passent lorsqu’ils visitent votre site.',
    progress: 'Renouvellement',
    progressText: (moved: string, all: string): string =>
      `${moved} sur ${all} ${isOne(all) ? 'abonnement utilise' : 'abonnements utilisent'} la nouvelle clé.`,
    end: 'Désactiver l’ancienne clé',
    endQuestion: 'Désactiver l’ancienne clé ?',
    endText: (left: string): string =>
      `${isOne(left) ? `${left} abonnement dépend` : `${left} abonnements dépendent`} encore de l’ancienne clé. Les lecteurs concernés seront désabonnés et devront s’abonner de nouveau lors d’une visite sur votre site. Cette action est irréversible.`,
    endAct: 'Désactiver définitivement',
    endDone: 'L’ancienne clé est en cours de désactivation. Ses lecteurs sont désabonnés.',
  },
};
