import type { TextsOf } from '../texts.ts';

/** Of the page of alerts: channels, and what was sent. */
export const alerts: TextsOf<'alerts'> = {
  alerts: {
    title: 'Alertes',
    description:
      'Qui est prévenu quand quelque chose demande votre attention, et ce qui a été envoyé. Seuls les admins voient cette page.',
    emptyTitle: 'Aucun canal d’alerte pour l’instant',
    empty:
      'Broadside prévient votre organisation par e-mail, webhook ou Slack : par exemple quand un envoi échoue, quand un service de push limite un site ou quand un nombre inhabituel de lecteurs se désabonnent. Ajoutez d’abord un canal, puis envoyez-lui une alerte de test.',
    channels: 'Canaux',
    add: 'Ajouter un canal',
    make: 'Ajouter',
    added: (name) => `Le canal « ${name} » est ajouté.`,
    kind: 'Type',
    kinds: { email: 'E-mail', webhook: 'Webhook', slack: 'Webhook compatible avec Slack' },
    number: (id) => `Canal ${id}`,
    address: 'Adresse',
    addressHints: {
      email: 'Une seule adresse e-mail.',
      webhook: 'Une URL https sur l’internet public. Broadside signe ses requêtes.',
      slack:
        'L’URL que Slack, ou un service compatible, vous a donnée. Ensuite, seule son origine est affichée.',
    },
    addressMissing: 'Saisissez une adresse.',
    wanted: 'Alertes qu’il reçoit',
    wantedMissing: 'Choisissez-en au moins une.',
    labels: {
      'delivery-failed': 'Échecs d’envoi',
      'delivery-stuck': 'Envois bloqués',
      'standing-changed': 'Limitation de débit',
      'unusual-unsubscribing': 'Désabonnements nombreux',
      'ad-statistics-late': 'Statistiques publicitaires en retard',
      'feed-broken': 'Flux en panne',
      test: 'Alerte de test',
    },
    when: {
      'delivery-failed': 'Un envoi a échoué.',
      'delivery-stuck': 'Un envoi n’avance plus depuis une heure.',
      'standing-changed': 'Un service de push a commencé ou cessé de limiter un site.',
      'unusual-unsubscribing': 'Un nombre inhabituel de lecteurs se sont désabonnés après un envoi.',
      'ad-statistics-late':
        'Les statistiques publicitaires ont plus de 48 heures de retard. Pour les organisations qui voient les revenus.',
      'feed-broken': 'Un flux n’a pas pu être lu trois fois de suite, ou peut l’être de nouveau.',
    },
    status: 'Statut',
    enabled: 'Activé',
    disabled: 'Désactivé',
    lastAnswer: 'Dernière réponse',
    secretTitle: 'Secret du webhook',
    secret: 'Secret',
    once: 'Copiez le secret maintenant et gardez-le en lieu sûr : il ne sera plus jamais affiché. En cas de perte, supprimez le canal et ajoutez-le de nouveau.',
    secretUse:
      'Avec ce secret, votre programme vérifie qu’une alerte vient bien de Broadside (Standard Webhooks).',
    kept: 'Je l’ai copié',
    changeName: (name) => `Modifier « ${name} »`,
    changeHint: 'Pour une autre adresse, ajoutez un autre canal.',
    changed: (name) => `Le canal « ${name} » est modifié.`,
    enable: 'Activer',
    enableName: (name) => `Activer « ${name} »`,
    nowEnabled: (name) => `Le canal « ${name} » est activé.`,
    disable: 'Désactiver',
    disableName: (name) => `Désactiver « ${name} »`,
    nowDisabled: (name) => `Le canal « ${name} » est désactivé : il ne reçoit plus de nouvelles alertes.`,
    deleteName: (name) => `Supprimer « ${name} »`,
    question: (name) => `Supprimer « ${name} » ?`,
    consequence:
      'Les alertes en attente pour ce canal ne seront pas envoyées, et celles déjà envoyées disparaissent de l’historique. Cette action est irréversible.',
    deleteAct: 'Supprimer le canal',
    deleted: (name) => `Le canal « ${name} » est supprimé.`,
    test: 'Envoyer une alerte de test',
    testName: (name) => `Envoyer une alerte de test à « ${name} »`,
    testing: (name) => `L’alerte de test pour « ${name} » est en route.`,
    testSent: (name, answer) => `L’alerte de test est parvenue à « ${name} » : ${answer}.`,
    testFailed: (name, answer) => `L’alerte de test n’est pas parvenue à « ${name} » : ${answer}.`,
    testAgain: (name, answer) =>
      `L’alerte de test n’est pas encore parvenue à « ${name} » : ${answer}. Broadside réessaie ; l’historique montre la suite.`,
    testLate: (name) =>
      `Pas encore de réponse de « ${name} ». L’historique l’affichera dès qu’elle arrivera. Les alertes de test partent tant qu’un moteur fonctionne.`,
    history: 'Historique',
    historyHint: 'Les alertes des 90 derniers jours, les plus récentes d’abord.',
    historyEmpty: 'Il n’y a eu aucune alerte ces 90 derniers jours.',
    at: 'Heure',
    what: 'Alerte',
    sends: 'Envoyée à',
    nowhere: 'aucun canal',
    states: {
      waiting: 'En attente',
      held: 'Retenue',
      summed: 'Regroupée',
      sent: 'Envoyée',
      failed: 'Échec',
    },
    more: (count) => `en représente ${count} de plus`,
    happened: {
      'delivery-failed': (of) => `« ${of('name')} » a échoué. ${of('reason')}`,
      'delivery-stuck': (of) => `« ${of('name')} » n’avance plus depuis plus de ${of('minutes')} minutes.`,
      'standing-changed': (of) => {
        if (of('standing') === 'normal') return `${of('service')} ne limite plus ce site.`;
        return of('probable_end') === ''
          ? `Depuis le ${of('since')}, ${of('service')} accepte au plus ${of('allowed_per_minute')} messages par minute de ce site.`
          : `Depuis le ${of('since')}, ${of('service')} accepte au plus ${of('allowed_per_minute')} messages par minute de ce site, probablement jusqu’au ${of('probable_end')}.`;
      },
      'unusual-unsubscribing': (of) =>
        `${of('unsubscribed')} lecteurs se sont désabonnés dans l’heure qui a suivi « ${of('name')} ».`,
      'ad-statistics-late': (of) =>
        `Les statistiques publicitaires ne sont complètes que jusqu’au ${of('complete_until')}.`,
      'feed-broken': (of) =>
        of('state') === 'broken'
          ? `Rien de nouveau n’est envoyé de « ${of('name')} » : son flux ne peut pas être lu. ${of('reason')}`
          : `Le flux de « ${of('name')} » peut de nouveau être lu.`,
      test: () => 'Un admin a testé le canal.',
    },
  },
};
