import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

export const standing: TextsOf<'standing'> = {
  standing: {
    description:
      'Comment les navigateurs et leurs services push traitent vos notifications, et d’après quoi ils jugent.',
    services: { fcm: 'Chrome', mozilla: 'Firefox', wns: 'Edge', apple: 'Safari', other: 'Autres' },
    states: { normal: 'Normal', limited: 'Limité' },
    limitedTitle: 'L’envoi est limité',
    limited: (service: string, allowed: string, since: string): string =>
      `${service} accepte ${allowed} messages par minute depuis le ${since}.`,
    limitedUntil: (service: string, allowed: string, since: string, end: string): string =>
      `${service} accepte ${allowed} messages par minute depuis le ${since}, probablement jusqu’au ${end}.`,
    needs: (time: string): string => `Cet envoi demande environ ${time}.`,
    expiring: (count: string): string => `Il expire avant d’atteindre ${count} lecteurs.`,
    now: 'Maintenant',
    nowAbout:
      'Chrome limite les sites dont il juge les notifications gênantes à environ 1 000 messages par minute : pour un jour, puis 7, puis 14.',
    risk: 'Autorisations en danger',
    riskAbout:
      'Chrome retire l’autorisation aux sites qu’un lecteur ne visite jamais et qui affichent 28 notifications par semaine sur Android, 42 sur ordinateur.',
    atRisk: 'Lecteurs en danger',
    ofSubscribers: (count: string): string => `sur ${count} abonnés`,
    near: 'Près de la limite',
    nearHint: 'à trois notifications près',
    atLimit: 'À la limite',
    atLimitGuarded: 'la prochaine est retenue',
    atLimitOpen: 'la prochaine peut coûter l’autorisation',
    guardOn: 'La protection est active : elle retient les notifications pour les lecteurs à la limite.',
    guardOff: 'La protection est inactive : ces lecteurs reçoivent quand même la prochaine notification.',
    switchOn: 'Activer la protection',
    changeGuard: 'Modifier la protection',
    sampled: 'Compté parmi un demi-million de lecteurs, puis extrapolé.',
    permissions: 'Autorisations retirées',
    permissionsAbout: (days: string): string =>
      `Chrome retire l’autorisation aux sites que personne ne visite. Parmi les lecteurs revenus sur le site ces ${days} derniers jours ; une invite la leur redemande.`,
    revoked: 'Perdus',
    revokedHint: 'constatés lors d’une visite',
    wonBack: 'Regagnés',
    wonBackHint: 'de nouveau abonnés',
    wonBackShare: 'Part regagnée',
    siteWeeks: 'Envois rapportés au temps sur le site',
    siteWeeksAbout:
      'Chrome juge chaque jour selon les envois et les invites, rapportés au temps que les lecteurs passent sur le site. Temps des lecteurs abonnés, selon leurs navigateurs.',
    siteWeeksEmpty: 'Aucun navigateur n’a encore indiqué son temps sur le site.',
    weekFrom: 'Semaine du',
    hoursOnSite: 'Heures sur le site',
    pushesPerHour: 'Envois par heure',
    promptsPerHour: 'Invites par heure',
    week: 'Notifications par lecteur et par semaine',
    weekAbout:
      'Ce que les services push ont accepté ces 7 derniers jours, pour les lecteurs abonnés maintenant.',
    weekEmpty: 'Pas encore d’abonnés.',
    browser: 'Navigateur',
    unknownBrowser: 'Inconnu',
    subscribers: 'Abonnés',
    average: 'Moyenne',
    most: 'Maximum',
    pushes: 'Désabonnés sous 48 heures',
    pushesAbout:
      'Parmi ceux pour qui une notification a été acceptée, avec l’intervalle qui contient la part réelle dans 95 cas sur 100. Un lecteur qui en a reçu plusieurs compte pour chacune.',
    pushesEmpty: 'Rien n’a encore été envoyé.',
    push: 'Notification',
    leftOf: (left: string, accepted: string): string => `${left} sur ${accepted}`,
    left: 'Désabonnés',
    interval: 'Part (95 %)',
    range: (share: string, low: string, high: string): string => `${share} % (${low}–${high})`,
    notKnown: 'inconnue',
    open: 'comptage en cours',
    throttled: 'Réponses « trop vite »',
    throttledAbout: 'Par heure, ces 7 derniers jours.',
    throttledEmpty: 'Aucun service push ne vous a demandé de ralentir ces 7 derniers jours.',
    throttledCount: 'Trop vite',
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
      'Une fois par jour, les lecteurs qui ont reçu des envois pendant ce temps sans donner de signe sont désabonnés.',
    pruneDays: 'Sans visite, clic ni affichage en jours',
    pruneCount: (count, shown, days) =>
      plural(
        count,
        `${shown} lecteur n’a donné aucun signe en ${days} jours.`,
        `${shown} lecteurs n’ont donné aucun signe en ${days} jours.`,
      ),
    pruneUnknown:
      'Aucun navigateur de ce site ne signale ce qu’il affiche : personne n’est donc considéré comme injoignable.',
    heldBack: (count: number, shown: string): string =>
      plural(
        count,
        `${shown} lecteur est près de la limite de Chrome : cette notification est retenue.`,
        `${shown} lecteurs sont près de la limite de Chrome : cette notification est retenue pour eux.`,
      ),
    couldLose: (count: number, shown: string): string =>
      plural(
        count,
        `${shown} lecteur est à la limite de Chrome : Chrome pourrait retirer l’autorisation.`,
        `${shown} lecteurs sont à la limite de Chrome : Chrome pourrait retirer l’autorisation.`,
      ),
  },
};
