import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

export const standing: TextsOf<'standing'> = {
  standing: {
    description:
      'Wie Browser und ihre Push-Dienste Ihre Benachrichtigungen behandeln, und wonach sie urteilen.',
    services: { fcm: 'Chrome', mozilla: 'Firefox', wns: 'Edge', apple: 'Safari', other: 'Andere' },
    states: { normal: 'Normal', limited: 'Begrenzt' },
    limitedTitle: 'Das Senden ist begrenzt',
    limited: (service: string, allowed: string, since: string): string =>
      `${service} nimmt seit ${since} ${allowed} Nachrichten pro Minute an.`,
    limitedUntil: (service: string, allowed: string, since: string, end: string): string =>
      `${service} nimmt seit ${since} ${allowed} Nachrichten pro Minute an, voraussichtlich bis ${end}.`,
    needs: (time: string): string => `Diese Sendung braucht etwa ${time}.`,
    expiring: (count: string): string => `Sie verfällt, bevor sie ${count} Leser erreicht.`,
    now: 'Jetzt',
    nowAbout:
      'Chrome begrenzt Websites, deren Benachrichtigungen es für störend hält, auf etwa 1.000 Nachrichten pro Minute: einen Tag lang, dann 7, dann 14.',
    risk: 'Gefährdete Erlaubnisse',
    riskAbout:
      'Chrome entzieht Websites die Erlaubnis, die ein Leser nie besucht und die 28 Benachrichtigungen pro Woche auf Android zeigen, 42 auf Computern.',
    atRisk: 'Gefährdete Leser',
    ofSubscribers: (count: string): string => `von ${count} Abonnenten`,
    near: 'Nahe der Grenze',
    nearHint: 'höchstens drei Benachrichtigungen davor',
    atLimit: 'An der Grenze',
    atLimitGuarded: 'die nächste wird zurückgehalten',
    atLimitOpen: 'die nächste kann die Erlaubnis kosten',
    guardOn: 'Der Schutz ist an: Er hält Benachrichtigungen an Leser an der Grenze zurück.',
    guardOff: 'Der Schutz ist aus: Diese Leser bekommen die nächste Benachrichtigung trotzdem.',
    switchOn: 'Schutz einschalten',
    changeGuard: 'Schutz ändern',
    sampled: 'Unter einer halben Million Lesern gezählt und hochgerechnet.',
    permissions: 'Entzogene Erlaubnisse',
    permissionsAbout: (days: string): string =>
      `Chrome entzieht Websites, die niemand besucht, die Erlaubnis. Gezählt sind Leser, die in den letzten ${days} Tagen wiederkamen; eine Frage bittet sie erneut.`,
    revoked: 'Verloren',
    revokedHint: 'bei einem Besuch bemerkt',
    wonBack: 'Zurückgewonnen',
    wonBackHint: 'wieder angemeldet',
    wonBackShare: 'Anteil zurückgewonnen',
    siteWeeks: 'Sendungen je Zeit auf der Website',
    siteWeeksAbout:
      'Chrome urteilt jeden Tag nach Sendungen und Fragen je Zeit, die Leser auf der Website sind. Zeit angemeldeter Leser, wie ihre Browser sie melden.',
    siteWeeksEmpty: 'Noch hat kein Browser seine Zeit auf der Website gemeldet.',
    weekFrom: 'Woche ab',
    hoursOnSite: 'Stunden auf der Website',
    pushesPerHour: 'Sendungen je Stunde',
    promptsPerHour: 'Fragen je Stunde',
    week: 'Benachrichtigungen je Leser und Woche',
    weekAbout: 'Was Push-Dienste in den letzten 7 Tagen annahmen, für alle, die jetzt abonniert sind.',
    weekEmpty: 'Noch keine Abonnenten.',
    browser: 'Browser',
    unknownBrowser: 'Nicht bekannt',
    subscribers: 'Abonnenten',
    average: 'Im Schnitt',
    most: 'Höchstens',
    pushes: 'Abgemeldet innerhalb von 48 Stunden',
    pushesAbout:
      'Von denen, für die eine Benachrichtigung angenommen wurde, mit dem Intervall, in dem der wahre Anteil in 95 von 100 Fällen liegt. Wer mehrere bekam, zählt bei jeder.',
    pushesEmpty: 'Noch wurde nichts gesendet.',
    push: 'Benachrichtigung',
    leftOf: (left: string, accepted: string): string => `${left} von ${accepted}`,
    left: 'Abgemeldet',
    interval: 'Anteil (95 %)',
    range: (share: string, low: string, high: string): string => `${share} % (${low}–${high})`,
    notKnown: 'nicht bekannt',
    open: 'zählt noch',
    throttled: 'Antworten „zu schnell“',
    throttledAbout: 'Nach Stunden, in den letzten 7 Tagen.',
    throttledEmpty: 'Kein Push-Dienst bat in den letzten 7 Tagen um weniger Tempo.',
    throttledCount: 'Zu schnell',
    acceptedCount: 'Angenommen',
    hour: 'Stunde',
    service: 'Browser',
    episodes: 'Frühere Begrenzungen',
    episodesAbout: 'Nach 42 Tagen ohne Begrenzung beginnt Chrome wieder mit einem einzigen Tag.',
    from: 'Von',
    until: 'Bis',
    goesOn: 'dauert an',
    lowest: 'Mindestens pro Minute',
    about: (count: string): string => `Etwa ${count}`,
    prune: 'Leser abmelden, die nie erreichbar waren',
    pruneHint:
      'Einmal am Tag werden Leser abgemeldet, denen in dieser Zeit gesendet wurde und die kein Zeichen gaben.',
    pruneDays: 'Ohne Besuch, Klick oder Anzeige in Tagen',
    pruneCount: (count, shown, days) =>
      plural(
        count,
        `${shown} Leser gab in ${days} Tagen kein Zeichen.`,
        `${shown} Leser gaben in ${days} Tagen kein Zeichen.`,
      ),
    pruneUnknown: 'Kein Browser dieser Website meldet, was er anzeigt. Darum gilt niemand als unerreichbar.',
    heldBack: (count: number, shown: string): string =>
      plural(
        count,
        `${shown} Leser ist nahe der Grenze von Chrome: Diese Benachrichtigung wird zurückgehalten.`,
        `${shown} Leser sind nahe der Grenze von Chrome: Sie bekommen diese Benachrichtigung nicht.`,
      ),
    couldLose: (count: number, shown: string): string =>
      plural(
        count,
        `${shown} Leser ist an der Grenze von Chrome: Chrome könnte die Erlaubnis entziehen.`,
        `${shown} Leser sind an der Grenze von Chrome: Chrome könnte die Erlaubnis entziehen.`,
      ),
  },
};
