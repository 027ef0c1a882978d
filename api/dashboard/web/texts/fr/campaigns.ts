import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

/** Campaigns: their list, and one of them while it runs and after. */
export const campaigns: TextsOf<'campaigns' | 'campaign'> = {
  campaigns: {
    description:
      'Tests avec une variante gagnante, envois à l’heure locale, envois répétés et flux. Les plus récents d’abord.',
    emptyTitle: 'Aucune campagne pour l’instant',
    empty:
      'Une campagne envoie d’elle-même plusieurs fois. Elle essaie plusieurs titres et envoie le meilleur aux autres lecteurs, atteint les lecteurs à 7 h 30 où qu’ils soient, ou se répète chaque matin. Rédigez une notification, puis ajoutez une variante ou choisissez un autre moment. Ou laissez un flux envoyer ce que vous publiez.',
    none: 'Aucune campagne ne correspond aux deux filtres. Retirez-en un, ou effacez-les.',
    name: 'Campagne',
    kind: 'Type',
    status: 'Statut',
    next: 'Prochaine étape',
    nextByYou: 'Vous choisissez la gagnante',
    accepted: 'Acceptés',
    of: (done: string, total: string): string => `${done} sur ${total}`,
    progress: (done: string, total: string): string =>
      `${done} sur ${total} ${plural(total, 'lecteur', 'lecteurs')}`,
    kinds: {
      ab_test: 'Test',
      local_time: 'Heure locale',
      recurring: 'Répétée',
      feed: 'Flux',
      quiet_hours: 'Heures calmes',
    },
    statuses: {
      scheduled: 'Programmée',
      running: 'En cours',
      deciding: 'Votre choix attendu',
      completed: 'Terminée',
      cancelled: 'Annulée',
      failed: 'En échec',
    },
    everyDayAt: (time: string): string => `Tous les jours à ${time}`,
    weekdaysAt: (time: string): string => `Du lundi au vendredi à ${time}`,
    daysAt: (days: string, time: string): string => `${days} à ${time}`,
    byCron: (line: string): string => `Selon la ligne cron ${line}`,
    whereTheyAre: 'heure locale du lecteur',
  },
  campaign: {
    partOf: (name: string): string => `Fait partie de la campagne « ${name} »`,
    parent: (id: number): string => `Campagne ${id}`,
    next: 'La suite',
    state: 'Comment elle s’est terminée',
    counts: 'Chiffres de tous les envois',
    planTestClicks: (share: string, after: string, fallback: string): string =>
      `Un test : ${share} % de l’audience reçoivent les variantes, à parts égales. Après la durée du test (${after}), les autres reçoivent celle dont le taux de clics est le meilleur avec une probabilité de 95 %, sinon la variante ${fallback}.`,
    planTestHand: (share: string): string =>
      `Un test : ${share} % de l’audience reçoivent les variantes, à parts égales. Vous choisissez celle que les autres reçoivent.`,
    planTestNever: (share: string): string =>
      `Un test : ${share} % de l’audience reçoivent les variantes, à parts égales. Les autres ne reçoivent rien.`,
    planLocal: (time: string): string =>
      `Chaque lecteur la reçoit le ${time}, à l’heure de l’endroit où il se trouve.`,
    planRecurring: (when: string, zone: string): string => `${when}, ${zone}.`,
    planFeed: (host: string): string =>
      `Les nouveaux articles du flux de ${host} deviennent des notifications.`,
    nextLook: (time: string): string => `Le flux est vérifié le ${time}.`,
    roleItem: 'Article',
    roleSummary: 'Résumé',
    planQuiet: (from: string, to: string): string =>
      `Les lecteurs dont les heures calmes (de ${from} à ${to}) ont commencé la reçoivent à leur fin.`,
    nextCompleted: 'Tous ses envois sont créés. Ils peuvent encore être en cours.',
    nextCancelled: 'Elle a été annulée. Les messages arrivés à un service de push restent envoyés.',
    nextFailed: 'Elle a échoué.',
    nextDeciding: 'Elle attend votre choix. Choisissez la variante que tous les autres lecteurs reçoivent.',
    nextSoon: 'La prochaine étape commence dans un instant.',
    nextTest: (time: string): string => `Les variantes partent le ${time}.`,
    nextDecision: (time: string): string =>
      `Le ${time}, les clics décident, et la gagnante part aux autres lecteurs.`,
    nextZones: (times: string): string => `Les lecteurs la reçoivent à leur heure locale : ${times}.`,
    nextZonesUnknown:
      'Les lecteurs la reçoivent à leur heure locale. Leur nombre ne peut pas être calculé pour le moment.',
    nextFiring: (time: string): string => `La prochaine part le ${time}.`,
    variant: (number: string): string => `Variante ${number}`,
    variants: 'Variantes',
    variantShown: 'Variante affichée',
    variantsAbout:
      'Le trait est le taux de clics actuel. Avec une probabilité de 95 %, le vrai taux se trouve dans la barre.',
    variantsNone: 'Les clics s’affichent ici une fois les variantes envoyées.',
    rate: (rate: string, low: string, high: string): string => `Taux de clics ${rate} (de ${low} à ${high})`,
    rateUnknown: 'Taux de clics : rien d’accepté pour l’instant',
    rateAlone: (rate: string): string => `Taux de clics : ${rate}`,
    tooEarly: (missing: number): string =>
      missing === 0
        ? 'Trop tôt pour comparer'
        : `Trop tôt pour comparer : il manque ${missing} ${plural(missing, 'message accepté', 'messages acceptés')}`,
    best: (chance: string): string => `Probabilité d’être la meilleure : ${chance}`,
    difference: (low: string, high: string): string =>
      `Avec une probabilité de 95 %, le taux de clics de la meilleure variante diffère de celui de la deuxième de ${low} à ${high} points.`,
    marks: { winner: 'Gagnante', sent: 'Envoyée aux autres' },
    noWinner: 'Aucune variante n’a gagné',
    hasWon: (number: number): string => `La variante ${number} a gagné`,
    reasons: {
      decided: 'C’est la meilleure avec une probabilité d’au moins 95 %.',
      'too-few': 'Une variante avait moins de 100 messages acceptés : trop peu pour décider.',
      'too-close':
        'Les taux de clics sont trop proches : aucune n’est la meilleure avec une probabilité de 95 %.',
      'clicks-unknown': 'Les clics n’ont pas pu être comptés pendant une heure.',
      'by-hand': 'Elle a été choisie à la main.',
    },
    fallbackSent: (number: number): string => `Les autres lecteurs ont reçu la variante ${number}.`,
    decidedAt: (time: string): string => `Décidé le ${time}.`,
    choose: 'Choisir comme gagnante',
    chooseVariant: (number: number): string => `Choisir comme gagnante : variante ${number}`,
    chooseTitle: (number: number): string => `Envoyer la variante ${number} à tous les autres ?`,
    chooseAbout: (title: string): string =>
      `« ${title} » part à tous les lecteurs de l’audience qui n’ont reçu aucune variante. C’est irréversible.`,
    chooseAct: 'Envoyer la gagnante',
    decided: 'La gagnante est envoyée.',
    change: 'Modifier',
    changeThis: 'Modifier cette campagne',
    duplicateThis: 'Dupliquer cette campagne',
    cancel: 'Annuler',
    cancelThis: 'Annuler cette campagne',
    cancelTitle: 'Annuler cette campagne ?',
    cancelWaiting: 'Rien n’en sera envoyé.',
    cancelRunning:
      'Elle ne crée plus aucun envoi, et ceux en cours s’arrêtent. Les messages arrivés à un service de push ne peuvent pas être rappelés.',
    cancelAct: 'Annuler la campagne',
    cancelKeep: 'Garder la campagne',
    cancelled: 'La campagne est annulée.',
    part: 'Partie',
    roleWinner: 'Gagnante',
    noDeliveries: 'Rien n’a encore été créé.',
    pastFirings: 'Déjà envoyé',
    firingsToCome: 'Prochains envois',
    zonesToCome: 'Fuseaux horaires à venir',
    toComeAbout: 'Dans votre fuseau horaire, avec les lecteurs actuels.',
    step: (time: string, readers: string): string => `${time} : ${readers}`,
    stepOfZones: (time: string, readers: string, zones: string): string => `${time} : ${readers}, ${zones}`,
    moreZones: (zones: string, left: number): string =>
      `${zones} et ${left} ${left === 1 ? 'autre fuseau horaire' : 'autres fuseaux horaires'}`,
    moreSteps: (left: number): string => `Et ${left} de plus.`,
    onceDecided: 'Une fois que vous avez décidé',
  },
};
