import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

const isOne = (count: string): boolean => count === '0' || count === '1';

/** Analytics: charts of one app over a period, and the words that charts share. */
export const analytics: TextsOf<'charts' | 'funnel' | 'analytics'> = {
  charts: {
    table: 'Tableau',
    asTable: (title: string): string => `${title} : en tableau`,
    csv: 'CSV',
    csvOf: (title: string): string => `${title} : télécharger en CSV`,
    day: 'Jour',
    dayUtc: 'Jour (UTC)',
    soFar: 'Pas encore terminé : total provisoire.',
    rateSources: { ecb: 'Banque centrale européenne', fixed: 'taux fixes de l’euro' },
    oldRates: (currencies: string): string => `Taux de change périmés : ${currencies}.`,
  },
  funnel: {
    hours: 'Clics par heure',
    hoursAbout: 'Chaque lecteur compte une fois, à l’heure de son premier clic ; les deux premiers jours.',
    hoursNone: 'Personne n’a encore cliqué.',
    hour: 'Heure à partir de',
    clicks: 'Clics',
    title: 'Engagement',
    about: 'Chaque lecteur compte une fois par étape, et chaque étape fait partie de la précédente.',
    periodAbout: 'Envois de la période. Chaque lecteur compte une fois par envoi et par étape.',
    label: 'Lecteurs, étape par étape',
    accepted: 'Acceptés',
    displayed: 'Affichés',
    clicked: 'Cliqués',
    closed: 'Fermés',
    ofAccepted: (share: string): string => `${share} des acceptés`,
    ofDisplayed: (share: string): string => `${share} des affichés`,
    rule: 'Un clic ou une fermeture compte aussi comme un affichage. Fermés : sans clic.',
    clickRate: (share: string): string => `Taux de clics : ${share} des acceptés.`,
    typical: (from: string, to: string): string => `Habituel à cette heure : ${from} – ${to}.`,
    left: (count: number, shown: string, share: string, isOver: boolean): string =>
      `${plural(count, `${shown} lecteur atteint s’est désabonné`, `${shown} lecteurs atteints se sont désabonnés`)} en moins de 48 heures (${share})${isOver ? '' : ' jusqu’ici'}.`,
    leftUnknown:
      'Le nombre de désabonnements en 48 heures n’est pas connu : les lecteurs désabonnés sont supprimés au bout d’un certain temps.',
    unproven: (displayed: string, clicked: string, closed: string): string =>
      `Réactions non prouvées, exclues des chiffres ci-dessus : affichages ${displayed}, clics ${clicked}, fermetures ${closed}.`,
    notKnown:
      'Impossible de compter les réactions pour le moment. Rien n’est perdu : cette page réessaie automatiquement.',
  },
  analytics: {
    description:
      'Croissance des abonnés et clics. Les chiffres datent de 5 minutes au plus ; les jours sont en UTC.',
    period: 'Période',
    today: 'Aujourd’hui',
    lastDays: (days: number): string => plural(days, 'Dernier jour', `${days} derniers jours`),
    parts: { month: 'Ce mois-ci', 'last-month': 'Le mois dernier', year: 'Cette année' },
    ownDates: 'Personnalisée',
    firstDay: 'Premier jour',
    lastDay: 'Dernier jour',
    wrongDates: 'Choisissez 366 jours au plus, le premier pas après le dernier.',
    compare: 'Comparer avec',
    compareNone: 'Sans comparaison',
    comparisons: { previous: 'Période précédente', 'year-before': 'Année précédente' },
    changed: (change: string): string => `${change} par rapport à avant`,
    unchanged: 'sans changement',
    nothingBefore: 'rien avant',
    copyLink: 'Copier le lien',
    asOfNow: 'actuellement',
    figures: 'Cette période',
    totalSubscribers: 'Abonnés actifs',
    clicks: 'Clics',
    clickRate: 'Taux de clics',
    emptyTitle: 'Rien à afficher pour l’instant',
    empty:
      'Les graphiques se remplissent à mesure que des lecteurs s’abonnent et que des notifications partent. Commencez par installer le script sur votre site.',
    emptyAction: 'L’installer sur votre site',
    growth: 'Nouveaux abonnés',
    growthAbout: 'Par jour d’abonnement, y compris ceux qui se sont désabonnés depuis.',
    growthEmpty: 'Personne ne s’est abonné sur cette période.',
    engagement: 'Messages envoyés et clics',
    engagementAbout: 'Selon le jour de l’envoi.',
    engagementEmpty: 'Rien n’a été envoyé sur cette période.',
    sent: 'Envoyés',
    services: 'Services de push',
    messages: 'Messages',
    servicesAbout:
      'Messages de la période, au jour de leur envoi : chacun compte une fois, quel que soit le nombre de tentatives.',
    unrecorded: (count: string): string =>
      isOne(count)
        ? `${count} autre message est terminé et apparaîtra ici sous peu.`
        : `${count} autres messages sont terminés et apparaîtront ici sous peu.`,
    retried: 'Réessayés',
    acceptedRate: 'Taux d’acceptation',
    devices: 'Appareils',
    browsers: 'Navigateurs',
    countries: 'Pays',
    nowAbout: 'Abonnés actifs, à cet instant.',
    audienceEmpty: 'Aucune donnée sur vos abonnés pour l’instant.',
    subscribers: 'Abonnés',
    reachable: 'Joignables',
    best: 'Meilleurs envois',
    bestAbout: 'Envois de la période, par taux de clics.',
    bestEmpty: 'Aucun envoi de cette période n’est terminé.',
    delivery: 'Envoi',
    completed: 'Terminé',
    unknown: 'Inconnu',
    others: 'Autres',
    revenue: 'Revenus et clics',
    revenueAbout: (site: string): string =>
      `Revenus publicitaires de ${site}, en regard des clics sur les notifications du jour.`,
    revenueNotGranted:
      'Les revenus s’affichent une fois que l’administrateur de votre Broadside a confirmé que ce site est le vôtre, avec la commande',
    revenueEmpty: 'Ni revenus ni clics sur cette période.',
    deliveryRevenue: {
      title: 'Revenus par envoi',
      about: (site: string): string =>
        `Une estimation : ce que ${site} a gagné aux heures des clics, réparti selon les clics. Là où les serveurs publicitaires ne donnent que des jours, la répartition se fait par jour.`,
      empty: 'Personne n’a cliqué sur un envoi pendant cette période.',
      perVisit: 'Impressions publicitaires par visite',
      perVisitAbout:
        'Si vous savez combien une visite en a au plus, celles des autres visiteurs ne comptent pas.',
      grain: 'Estimé par',
      grains: { hour: 'heure', day: 'jour', mixed: 'heure et jour', none: '–' },
      elsewhere: 'mène à un autre site',
      visits: 'Visites',
      others: (count: string, earnings: string): string =>
        plural(
          count,
          `1 autre envoi a rapporté ${earnings}.`,
          `${count} autres envois ont rapporté ${earnings}.`,
        ),
      unassigned: (earnings: string): string => `${earnings} du site ne reviennent à aucun envoi.`,
    },
    revenueTotals: 'Revenus de la période',
    earnings: 'Revenus',
    earningsIn: (currency: string): string => `Revenus (${currency})`,
    impressions: 'Impressions publicitaires',
    ecpm: 'eCPM',
    currency: 'Devise',
    completeUntil: (time: string): string => `Données des serveurs publicitaires complètes jusqu’au ${time}.`,
    restated: 'Certains jours ont été corrigés par un serveur publicitaire.',
    rates: (sources: string): string => `Taux de change : ${sources}.`,
    leftOut: (currencies: string): string =>
      `Non comptés, faute de taux de change : les revenus en ${currencies}.`,
  },
};
