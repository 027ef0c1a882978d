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
      `${service} nimmt seit ${since} höchstens ${allowed} Nachrichten pro Minute an.`,
    limitedUntil: (service: string, allowed: string, since: string, end: string): string =>
      `${service} nimmt seit ${since} höchstens ${allowed} Nachrichten pro Minute an, voraussichtlich bis ${end}.`,
    needs: (time: string): string => `Diese Sendung braucht etwa ${time}.`,
    expiring: (count: string): string => `Sie läuft ab, bevor sie ${count} Leser erreicht.`,
    now: 'Jetzt',
    nowAbout:
      'Chrome begrenzt Websites, deren Benachrichtigungen es für störend hält, auf etwa 1.000 Nachrichten pro Minute: einen Tag lang, dann 7, dann 14.',
    risk: 'Gefährdete Berechtigungen',
    riskAbout:
      'Chrome entzieht Websites die Berechtigung, die ein Leser nie besucht und die 28 Benachrichtigungen pro Woche auf Android zeigen, 42 auf Computern.',
    atRisk: 'Gefährdete Leser',
    ofSubscribers: (count: string): string => `von ${count} Abonnenten`,
    near: 'Nahe der Grenze',
    nearHint: 'höchstens drei Benachrichtigungen davor',
    atLimit: 'An der Grenze',
    atLimitGuarded: 'die nächste wird zurückgehalten',
    atLimitOpen: 'die nächste kann die Berechtigung kosten',
    guardOn: 'Der Schutz ist an: Er hält Benachrichtigungen an Leser an der Grenze zurück.',
    guardOff: 'Der Schutz ist aus: Diese Leser bekommen die nächste Benachrichtigung trotzdem.',
    switchOn: 'Schutz einschalten',
    changeGuard: 'Schutz ändern',
    sampled: 'Hochgerechnet aus einer Stichprobe von einer halben Million Lesern.',
    permissions: 'Entzogene Berechtigungen',
    permissionsAbout: (days: string): string =>
      `Chrome entzieht Websites, die ein Leser nicht besucht, die Berechtigung. Gezählt werden Leser, die in den letzten ${days} Tagen wiederkamen; eine Abfrage fragt sie noch einmal.`,
    revoked: 'Verloren',
    revokedHint: 'bei einem Besuch bemerkt',
    wonBack: 'Zurückgewonnen',
    wonBackHint: 'wieder abonniert',
    wonBackShare: 'Zurückgewonnener Anteil',
    siteWeeks: 'Sendungen je Zeit auf der Website',
    siteWeeksAbout:
      'Chrome urteilt jeden Tag nach Sendungen und Abfragen je Zeit, die Leser auf der Website verbringen. Die Zeit der Abonnenten, wie ihre Browser sie melden.',
    siteWeeksEmpty: 'Noch hat kein Browser seine Zeit auf der Website gemeldet.',
    weekFrom: 'Woche ab',
    hoursOnSite: 'Stunden auf der Website',
    pushesPerHour: 'Sendungen je Stunde',
    promptsPerHour: 'Abfragen je Stunde',
    week: 'Benachrichtigungen je Leser und Woche',
    weekAbout: 'Was Push-Dienste in den letzten 7 Tagen annahmen, für alle, die jetzt abonniert sind.',
    weekEmpty: 'Noch keine Abonnenten.',
    browser: 'Browser',
    unknownBrowser: 'Nicht bekannt',
    subscribers: 'Abonnenten',
    average: 'Im Schnitt',
    most: 'Maximum',
    pushes: 'Abgemeldet innerhalb von 48 Stunden',
    pushesAbout:
      'Von den Lesern, für die eine Benachrichtigung angenommen wurde, mit dem 95-%-Konfidenzintervall. Wer mehrere bekam, zählt bei jeder.',
    pushesEmpty: 'Noch wurde nichts gesendet.',
    push: 'Benachrichtigung',
    leftOf: (left: string, accepted: string): string => `${left} von ${accepted}`,
    left: 'Abgemeldet',
    interval: 'Anteil (95 %)',
    range: (share: string, low: string, high: string): string => `${share} % (${low}–${high})`,
    notKnown: 'nicht bekannt',
    open: 'zählt noch',
    throttled: '„Zu schnell“-Antworten',
    throttledAbout: 'Nach Stunden, in den letzten 7 Tagen.',
    throttledEmpty: 'Kein Push-Dienst hat Sie in den letzten 7 Tagen gebremst.',
    throttledCount: 'Zu schnell',
    acceptedCount: 'Angenommen',
    hour: 'Stunde',
    service: 'Browser',
    episodes: 'Frühere Begrenzungen',
    episodesAbout: 'Nach 42 Tagen ohne Begrenzung beginnt Chrome wieder mit einem einzigen Tag.',
    from: 'Von',
    until: 'Bis',
    goesOn: 'dauert an',
    lowest: 'Tiefstwert pro Minute',
    about: (count: string): string => `Etwa ${count}`,
    prune: 'Leser abmelden, die nie erreichbar waren',
    pruneHint:
      'Einmal am Tag werden Leser abgemeldet, an die in dieser Zeit gesendet wurde und die nicht aktiv waren.',
    pruneDays: 'Tage ohne Besuch, Klick oder Anzeige',
    pruneCount: (count, shown, days) =>
      plural(
        count,
        `${shown} Leser war in ${days} Tagen nicht aktiv.`,
        `${shown} Leser waren in ${days} Tagen nicht aktiv.`,
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
        `${shown} Leser ist an der Grenze von Chrome: Chrome könnte die Berechtigung entziehen.`,
        `${shown} Leser sind an der Grenze von Chrome: Chrome könnte die Berechtigung entziehen.`,
      ),
  },
};
