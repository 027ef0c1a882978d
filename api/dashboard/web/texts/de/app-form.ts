import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

/** An app's settings, its creation and its end. */
export const appForm: TextsOf<'appForm' | 'newApp' | 'deleteApp' | 'leave'> = {
  appForm: {
    site: 'Ihre Website',
    name: 'Name',
    nameMissing: 'Geben Sie einen Namen ein.',
    siteDomain: 'Adresse der Website',
    siteHint:
      'Die Adresse ohne Pfad: https://news.example. Nur auf Seiten unter dieser Adresse können Leser abonnieren.',
    timeZone: 'Zeitzone',
    timeZoneHint: 'Sie gilt für alle Leser, deren eigene Zeitzone nicht bekannt ist.',
    siteMissing: 'Geben Sie die Adresse Ihrer Website ein.',
    notifications: 'Benachrichtigungen',
    notificationsHint: 'Vorgaben für Benachrichtigungen.',
    ttl: 'Aufbewahrung für Offline-Leser',
    ttlHint: 'Ältere Benachrichtigungen werden nicht mehr angezeigt. Höchstens 28 Tage.',
    ttlUnit: 'Einheit',
    ttlUnitHint: '0 bedeutet: sofort oder gar nicht.',
    units: { seconds: 'Sekunden', minutes: 'Minuten', hours: 'Stunden', days: 'Tage' },
    requireInteraction: 'Bleibt, bis sie geklickt oder geschlossen wird',
    requireInteractionHint:
      'In Chrome und Edge auf dem Computer. Andere Browser blenden sie nach einer Weile aus.',
    silent: 'Stumm',
    silentHint: 'Ohne Ton und ohne Vibration.',
    fallback: 'Text für den Notfall',
    fallbackHint:
      'Steht unter dem Namen Ihrer Website, wenn ein Browser eine Nachricht nicht lesen kann. Etwas muss er zeigen, sonst melden Browser die Leser ab.',
    fallbackExample: 'Es gibt Neues für Sie.',
    vibrate: 'Vibrationsmuster',
    vibrateHint:
      'Auf Android, in Millisekunden: an, aus, an, … Höchstens 10 Zahlen. Leer: Standard des Smartphones.',
    vibrateWrong: 'Geben Sie ganze Zahlen ein, durch Kommas getrennt, etwa 200, 100, 200.',
    cap: 'Frequenzlimit',
    capHint:
      'Kein Leser erhält mehr als das, über alle Benachrichtigungen gerechnet. Eine einzelne Benachrichtigung kann es ignorieren.',
    capped: 'Begrenzen, wie viele Benachrichtigungen ein Leser erhält',
    capMost: 'Höchstzahl der Benachrichtigungen',
    capWindow: 'Innerhalb von',
    windows: { 60: '1 Stunde', 360: '6 Stunden', 720: '12 Stunden', 1440: '1 Tag', 10080: '7 Tagen' },
    preferences: 'Schaltfläche für Einstellungen',
    preferencesHint:
      'Benachrichtigungen mit Platz für eine weitere Schaltfläche erhalten eine, die zu den Einstellungen des Lesers führt: Themen, weniger, Pause, Ruhezeiten, Abmelden.',
    preferencesOn: 'Schaltfläche zu den Einstellungen des Lesers hinzufügen',
    guard: 'Grenze von Chrome',
    guardHint:
      'Chrome entzieht einer Website die Erlaubnis, die ein Leser nie besucht und die ihm 28 Benachrichtigungen pro Woche auf Android zeigt, 42 auf anderen Geräten. Wer so nahe kommt, wartet bis zum nächsten Besuch oder Klick, auch bei Benachrichtigungen, die das Frequenzlimit ignorieren.',
    guardOn: 'Benachrichtigungen vor der Grenze zurückhalten',
    guardAndroid: 'In 7 Tagen höchstens, auf Android',
    guardDesktop: 'Auf anderen Geräten',
    guardDays: 'Besuch oder Klick in so vielen Tagen: keine Grenze',
    quiet: 'Ruhezeiten',
    quietHint:
      'Benachrichtigungen warten, solange Leser schlafen. Eilmeldungen gehen trotzdem hinaus, und das Protokoll nennt den Absender.',
    quietOn: 'Benachrichtigungen nachts warten lassen',
    quietFrom: 'Von',
    quietTo: 'Bis',
    quietZone: 'Nach der Uhr',
    quietZones: { reader: 'des Lesers', app: 'der App' },
    quietSame: 'Das Ende darf nicht der Anfang sein.',
    params: 'URL-Parameter',
    paramsHint:
      'Werden an den Link jeder Benachrichtigung angehängt, damit Ihre eigene Statistik zeigt, woher die Leser kommen.',
    paramKey: (number: number): string => `Name von Parameter ${number}`,
    paramValue: (number: number): string => `Wert von Parameter ${number}`,
    paramRemove: (number: number): string => `Parameter ${number} entfernen`,
    paramAdd: 'Parameter hinzufügen',
    cleaning: 'Abgemeldete Leser',
    cleaningHint:
      'Die Daten abgemeldeter Leser können nach einiger Zeit gelöscht werden. Die Gesamtzahlen der Statistik bleiben erhalten.',
    autoDelete: 'Abgemeldete Leser automatisch löschen',
    autoDeleteDays: 'Frist in Tagen',
    saved: 'Die Einstellungen sind gespeichert.',
  },
  newApp: {
    title: 'Neue App',
    hint: 'Eine App ist eine Ihrer Websites.',
    welcome: (name: string): string => `Willkommen, ${name}`,
    welcomeHint:
      'Drei Schritte bis zur ersten Benachrichtigung: Website benennen, zwei Snippets einbinden, senden.',
    site: 'Um welche Website geht es?',
    nameHint: 'Für Sie und Ihr Team. Leser sehen ihn nicht.',
    submit: 'App erstellen',
    done: (name: string): string => `${name} wurde erstellt.`,
  },
  deleteApp: {
    title: 'Diese App löschen',
    hint: 'Abonnenten, Benachrichtigungen und Statistiken der App werden endgültig gelöscht.',
    adminsOnly: 'Nur Admins können Apps löschen. Fragen Sie einen Admin Ihrer Organisation.',
    open: 'Diese App löschen …',
    question: (name: string): string => `${name} löschen?`,
    consequence: (subscribers: string): string =>
      `${subscribers} ${plural(subscribers, 'Abonnent', 'Abonnenten')}, alle Benachrichtigungen und alle Statistiken werden endgültig gelöscht. Laufende Sendungen werden abgebrochen. Leser müssen bei einer neuen App erneut abonnieren.`,
    type: (name: string): string => `Geben Sie zum Fortfahren „${name}“ ein`,
    act: 'Endgültig löschen',
    done: (name: string): string => `${name} wurde gelöscht.`,
  },
  leave: {
    title: 'Seite verlassen, ohne zu speichern?',
    text: 'Ihre Änderungen auf dieser Seite sind nicht gespeichert.',
    act: 'Ohne Speichern verlassen',
  },
};
