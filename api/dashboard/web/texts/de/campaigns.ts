import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

/** Campaigns: their list, and one of them while it runs and after. */
export const campaigns: TextsOf<'campaigns' | 'campaign'> = {
  campaigns: {
    description:
      'Tests mit Gewinner, Sendungen nach Ortszeit, wiederkehrende Sendungen und Feeds. Neueste zuerst.',
    emptyTitle: 'Noch keine Kampagnen',
    empty:
      'Eine Kampagne sendet von selbst mehr als einmal. Sie probiert mehrere Titel aus und sendet den besten an die übrigen Leser, erreicht Leser überall um 07:30 Uhr ihrer Zeit oder wiederholt sich jeden Morgen. Verfassen Sie eine Benachrichtigung, und fügen Sie eine Variante hinzu oder wählen Sie einen anderen Zeitpunkt. Oder lassen Sie einen Feed senden, was Sie veröffentlichen.',
    none: 'Keine Kampagne entspricht beiden Filtern. Entfernen Sie einen, oder setzen Sie sie zurück.',
    name: 'Kampagne',
    kind: 'Art',
    status: 'Status',
    next: 'Nächster Schritt',
    nextByYou: 'Sie wählen den Gewinner',
    accepted: 'Angenommen',
    of: (done: string, total: string): string => `${done} von ${total}`,
    progress: (done: string, total: string): string =>
      `${done} von ${total} ${plural(total, 'Leser', 'Lesern')}`,
    kinds: {
      ab_test: 'Test',
      local_time: 'Ortszeit',
      recurring: 'Wiederkehrend',
      feed: 'Feed',
      quiet_hours: 'Ruhezeit',
    },
    statuses: {
      scheduled: 'Geplant',
      running: 'Läuft',
      deciding: 'Wartet auf Sie',
      completed: 'Abgeschlossen',
      cancelled: 'Abgebrochen',
      failed: 'Fehlgeschlagen',
    },
    everyDayAt: (time: string): string => `Täglich um ${time} Uhr`,
    weekdaysAt: (time: string): string => `Montag bis Freitag um ${time} Uhr`,
    daysAt: (days: string, time: string): string => `${days} um ${time} Uhr`,
    byCron: (line: string): string => `Nach der Cron-Zeile ${line}`,
    whereTheyAre: 'Ortszeit der Leser',
  },
  campaign: {
    partOf: (name: string): string => `Teil der Kampagne „${name}“`,
    parent: (id: number): string => `Kampagne ${id}`,
    next: 'Wie es weitergeht',
    state: 'Wie sie endete',
    counts: 'Zahlen aller Sendungen',
    planTestClicks: (share: string, after: string, fallback: string): string =>
      `Ein Test: ${share} % der Zielgruppe erhalten die Varianten, gleich verteilt. Nach Ablauf der Testdauer (${after}) erhalten die übrigen die Variante, deren Klickrate mit 95 % Wahrscheinlichkeit die beste ist, sonst Variante ${fallback}.`,
    planTestHand: (share: string): string =>
      `Ein Test: ${share} % der Zielgruppe erhalten die Varianten, gleich verteilt. Sie wählen die Variante für die übrigen.`,
    planTestNever: (share: string): string =>
      `Ein Test: ${share} % der Zielgruppe erhalten die Varianten, gleich verteilt. Die übrigen erhalten nichts.`,
    planLocal: (time: string): string => `Jeder Leser erhält sie am ${time} Uhr, nach der Uhr an seinem Ort.`,
    planRecurring: (when: string, zone: string): string => `${when}, ${zone}.`,
    planFeed: (host: string): string => `Neue Beiträge des Feeds auf ${host} werden zu Benachrichtigungen.`,
    nextLook: (time: string): string => `Der Feed wird am ${time} wieder gelesen.`,
    roleItem: 'Beitrag',
    roleSummary: 'Zusammenfassung',
    planQuiet: (from: string, to: string): string =>
      `Leser, deren Ruhezeit (${from} bis ${to} Uhr) begonnen hat, erhalten sie nach deren Ende.`,
    nextCompleted: 'Alle Sendungen sind angelegt. Einige können noch unterwegs sein.',
    nextCancelled: 'Sie wurde abgebrochen. Was bei einem Push-Dienst ankam, bleibt gesendet.',
    nextFailed: 'Sie ist fehlgeschlagen.',
    nextDeciding: 'Sie wartet auf Sie. Wählen Sie die Variante für alle übrigen Leser.',
    nextSoon: 'Der nächste Schritt folgt gleich.',
    nextTest: (time: string): string => `Die Varianten werden am ${time} gesendet.`,
    nextDecision: (time: string): string =>
      `Am ${time} entscheiden die Klicks, und der Gewinner geht an die übrigen Leser.`,
    nextZones: (times: string): string => `Leser erhalten sie nach ihrer eigenen Uhr: ${times}.`,
    nextZonesUnknown:
      'Leser erhalten sie nach ihrer eigenen Uhr. Ihre Zahl lässt sich gerade nicht ermitteln.',
    nextFiring: (time: string): string => `Die nächste wird am ${time} gesendet.`,
    variant: (number: string): string => `Variante ${number}`,
    variants: 'Varianten',
    variantShown: 'Gezeigte Variante',
    variantsAbout:
      'Der Strich ist die bisherige Klickrate. Mit 95 % Wahrscheinlichkeit liegt die wahre Rate im Balken.',
    variantsNone: 'Klicks stehen hier, sobald die Varianten gesendet sind.',
    rate: (rate: string, low: string, high: string): string => `Klickrate ${rate} (${low} bis ${high})`,
    rateUnknown: 'Klickrate: noch nichts angenommen',
    rateAlone: (rate: string): string => `Klickrate: ${rate}`,
    tooEarly: (missing: number): string =>
      missing === 0
        ? 'Zu früh für einen Vergleich'
        : `Zu früh für einen Vergleich: Es ${plural(missing, 'fehlt noch 1 angenommene Nachricht', `fehlen noch ${missing} angenommene Nachrichten`)}`,
    best: (chance: string): string => `Wahrscheinlichkeit, die beste zu sein: ${chance}`,
    difference: (low: string, high: string): string =>
      `Mit 95 % Wahrscheinlichkeit weicht die Klickrate der besten Variante von der zweitbesten um ${low} bis ${high} Prozentpunkte ab.`,
    marks: { winner: 'Gewinner', sent: 'An die übrigen gesendet' },
    noWinner: 'Keine Variante hat gewonnen',
    hasWon: (number: number): string => `Variante ${number} hat gewonnen`,
    reasons: {
      decided: 'Sie ist mit mindestens 95 % Wahrscheinlichkeit die beste.',
      'too-few': 'Eine Variante hatte weniger als 100 angenommene Nachrichten: zu wenige, um zu entscheiden.',
      'too-close':
        'Die Klickraten liegen zu nah beieinander: Keine ist mit 95 % Wahrscheinlichkeit die beste.',
      'clicks-unknown': 'Eine Stunde lang ließen sich keine Klicks zählen.',
      'by-hand': 'Sie wurde von Hand gewählt.',
    },
    fallbackSent: (number: number): string => `Die übrigen Leser erhielten Variante ${number}.`,
    decidedAt: (time: string): string => `Entschieden am ${time}.`,
    choose: 'Als Gewinner wählen',
    chooseVariant: (number: number): string => `Als Gewinner wählen: Variante ${number}`,
    chooseTitle: (number: number): string => `Variante ${number} an alle übrigen senden?`,
    chooseAbout: (title: string): string =>
      `„${title}“ geht an alle Leser der Zielgruppe, die keine Variante erhalten haben. Das lässt sich nicht zurücknehmen.`,
    chooseAct: 'Gewinner senden',
    decided: 'Der Gewinner wird gesendet.',
    change: 'Ändern',
    changeThis: 'Diese Kampagne ändern',
    duplicateThis: 'Diese Kampagne duplizieren',
    cancel: 'Abbrechen',
    cancelThis: 'Diese Kampagne abbrechen',
    cancelTitle: 'Diese Kampagne abbrechen?',
    cancelWaiting: 'Nichts davon wird gesendet.',
    cancelRunning:
      'Sie legt keine Sendung mehr an, und laufende Sendungen enden. Was bei einem Push-Dienst ankam, lässt sich nicht zurückholen.',
    cancelAct: 'Kampagne abbrechen',
    cancelKeep: 'Kampagne behalten',
    cancelled: 'Die Kampagne ist abgebrochen.',
    part: 'Teil',
    roleWinner: 'Gewinner',
    noDeliveries: 'Noch wurde nichts angelegt.',
    pastFirings: 'Bisher gesendet',
    firingsToCome: 'Nächste Sendungen',
    zonesToCome: 'Kommende Zeitzonen',
    toComeAbout: 'In Ihrer Zeitzone, mit den heutigen Lesern.',
    step: (time: string, readers: string): string => `${time}: ${readers}`,
    stepOfZones: (time: string, readers: string, zones: string): string => `${time}: ${readers} in ${zones}`,
    moreZones: (zones: string, left: number): string =>
      `${zones} und ${left} ${left === 1 ? 'weiterer Zeitzone' : 'weiteren Zeitzonen'}`,
    moreSteps: (left: number): string => `Und ${left} weitere.`,
    onceDecided: 'Sobald Sie entscheiden',
  },
};
