import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

export const standing: TextsOf<'standing'> = {
  standing: {
    description:
      'Comment les navigateurs et leurs services de push traitent vos notifications, et d’après quoi ils jugent.',
    services: { fcm: 'Chrome', mozilla: 'Firefox', wns: 'Edge', apple: 'Safari', other: 'Autres' },
    states: { normal: 'Normal', limited: 'Limité' },
    limitedTitle: 'L’envoi est limité',
    limited: (service: string, allowed: string, since: string): string =>
      `Depuis le ${since}, ${service} accepte au plus ${allowed} messages par minute.`,
    limitedUntil: (service: string, allowed: string, since: string, end: string): string =>
      `Depuis le ${since}, ${service} accepte au plus ${allowed} messages par minute, probablement jusqu’au ${end}.`,
    needs: (time: string): string => `Cet envoi demande environ ${time}.`,
    expiring: (count: string): string =>
      `Il expire avant d’atteindre ${count} ${plural(count, 'lecteur', 'lecteurs')}.`,
    now: 'Maintenant',
    nowAbout:
      'Chrome limite les sites dont il juge les notifications gênantes à environ 1 000 messages par minute : pour un jour, puis 7, puis 14.',
    risk: 'Autorisations à risque',
    riskAbout:
      'Chrome retire l’autorisation aux sites qu’un lecteur ne visite jamais et qui affichent 28 notifications par semaine sur Android, 42 sur ordinateur.',
    atRisk: 'Lecteurs à risque',
    ofSubscribers: (count: string): string => `sur ${count} ${plural(count, 'abonné', 'abonnés')}`,
    near: 'Près de la limite',
    nearHint: 'à trois notifications près',
    atLimit: 'À la limite',
    atLimitGuarded: 'la prochaine est retenue',
    atLimitOpen: 'la prochaine peut coûter l’autorisation',
    guardOn: 'La protection est active : elle retient les notifications pour les lecteurs à la limite.',
    guardOff: 'La protection est inactive : ces lecteurs reçoivent quand même la prochaine notification.',
    switchOn: 'Activer la protection',
    changeGuard: 'Modifier la protection',
    sampled: 'Estimé à partir d’un échantillon d’un demi-million de lecteurs.',
    permissions: 'Autorisations retirées',
    permissionsAbout: (days: string): string =>
      `Chrome retire l’autorisation aux sites qu’un lecteur ne visite pas. Sont comptés les lecteurs revenus sur le site ces ${days} derniers jours ; une demande la leur propose de nouveau.`,
    revoked: 'Perdus',
    revokedHint: 'constatés lors d’une visite',
    wonBack: 'Reconquis',
    wonBackHint: 'de nouveau abonnés',
    wonBackShare: 'Part reconquise',
    siteWeeks: 'Envois rapportés au temps sur le site',
    siteWeeksAbout:
      'Chrome juge chaque jour selon les envois et les demandes, rapportés au temps que les lecteurs passent sur le site. Temps des lecteurs abonnés, selon leurs navigateurs.',
    siteWeeksEmpty: 'Aucun navigateur n’a encore indiqué son temps sur le site.',
    weekFrom: 'Semaine du',
    hoursOnSite: 'Heures sur le site',
    pushesPerHour: 'Envois par heure',
    promptsPerHour: 'Demandes par heure',
    week: 'Notifications par lecteur et par semaine',
    weekAbout:
      'Ce que les services de push ont accepté ces 7 derniers jours, pour les lecteurs abonnés maintenant.',
    weekEmpty: 'Pas encore d’abonnés.',
    browser: 'Navigateur',
    unknownBrowser: 'Inconnu',
    subscribers: 'Abonnés',
    average: 'Moyenne',
    most: 'Maximum',
    pushes: 'Désabonnés sous 48 heures',
    pushesAbout:
      'Parmi ceux pour qui une notification a été acceptée, avec l’intervalle de confiance à 95 %. Un lecteur qui en a reçu plusieurs compte pour chacune.',
    pushesEmpty: 'Rien n’a encore été envoyé.',
    push: 'Notification',
    leftOf: (left: string, accepted: string): string => `${left} sur ${accepted}`,
    left: 'Désabonnés',
    interval: 'Part (95 %)',
    range: (share: string, low: string, high: string): string => `${share} % (${low}–${high})`,
    notKnown: 'inconnue',
    open: 'comptage en cours',
    throttled: 'Réponses « trop rapide »',
    throttledAbout: 'Par heure, ces 7 derniers jours.',
    throttledEmpty: 'Aucun service de push ne vous a demandé de ralentir ces 7 derniers jours.',
    throttledCount: 'Trop rapide',
    acceptedCount: 'Acceptées',
    hour: 'Heure',
    service: 'Navigateur',
    episodes: 'Limites précédentes',
    episodesAbout: 'Après 42 jours sans limite, Chrome recommence par un seul jour.',
    from: 'Du',
    until: 'Au',
    goesOn: 'en cours',
    lowest: 'Minimum par minute',
    about: (count: string): string => `Environ ${count}`,
    prune: 'Désabonner les lecteurs jamais joignables',
    pruneHint:
      'Une fois par jour, les lecteurs à qui des notifications ont été envoyées pendant ce temps et qui sont restés inactifs sont désabonnés.',
    pruneDays: 'Jours sans visite, clic ni affichage',
    pruneCount: (count, shown, days) =>
      plural(
        count,
        `${shown} lecteur est resté inactif pendant ${days} jours.`,
        `${shown} lecteurs sont restés inactifs pendant ${days} jours.`,
      ),
    pruneUnknown:
      'Aucun navigateur de ce site ne signale ce qu’il affiche : personne n’est donc considéré comme injoignable.',
    heldBack: (count: number, shown: string): string =>
      plural(
        count,
        `${shown} lecteur est près de la limite de Chrome : cette notification est retenue.`,
        `${shown} lecteurs sont près de la limite de Chrome : cette notification est retenue pour eux.`,
      ),
    couldLose: (count: number, shown: string): string =>
      plural(
        count,
        `${shown} lecteur est à la limite de Chrome : Chrome pourrait retirer l’autorisation.`,
        `${shown} lecteurs sont à la limite de Chrome : Chrome pourrait retirer l’autorisation.`,
      ),
  },
};
