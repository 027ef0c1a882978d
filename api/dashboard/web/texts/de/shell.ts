import type { TextsOf } from '../texts.ts';

const count = (most: number, one: string, many: string): string => (most === 1 ? one : many);

/** The texts of the frame, and common words. */
export const shell: TextsOf<
  'product' | 'titleOf' | 'skip' | 'roles' | 'nav' | 'actions' | 'pending' | 'problems' | 'never' | 'none'
> = {
  product: 'Broadside',
  titleOf: (page: string): string => `${page} · Broadside`,
  skip: 'Zum Inhalt springen',
  roles: {
    names: { reader: 'Leser', author: 'Autor', approver: 'Freigeber', member: 'Mitglied', admin: 'Admin' },
    notes: {
      reader: 'Sie sind Leser dieser App: Sie sehen alles und ändern nichts.',
      author: 'Sie sind Autor dieser App: Was Sie schreiben, wartet auf eine Freigabe.',
      approver: 'Sie sind Freigeber dieser App: Ihre Einstellungen sind Sache der Mitglieder und Admins.',
    },
    needs: (role: string): string =>
      `Dafür ist die Rolle ${role} in dieser App nötig: Fragen Sie einen Admin Ihrer Organisation.`,
  },
  nav: {
    label: 'Hauptnavigation',
    language: 'Sprache',
    send: 'Senden',
    readers: 'Leser',
    results: 'Ergebnisse',
    setUp: 'Website einrichten',
    organization: 'Organisation',
    open: 'Menü öffnen',
    close: 'Menü schließen',
    overview: 'Übersicht',
    compose: 'Verfassen',
    drafts: 'Entwürfe',
    deliveries: 'Sendungen',
    campaigns: 'Kampagnen',
    subscribers: 'Abonnenten',
    segments: 'Segmente',
    categories: 'Kategorien',
    analytics: 'Analyse',
    standing: 'Zustellbarkeit',
    reports: 'Berichte',
    welcome: 'Begrüßung',
    prompts: 'Opt-in-Abfragen',
    integration: 'Einbindung',
    appSettings: 'App-Einstellungen',
    keys: 'VAPID-Schlüssel',
    apps: 'Alle Apps',
    allApps: 'Alle Apps',
    newApp: 'Neue App',
    settings: 'Einstellungen',
    tokens: 'API-Tokens',
    team: 'Team',
    auditLog: 'Protokoll',
    alerts: 'Meldungen',
    webhooks: 'Webhooks',
    organizations: 'Organisationen',
    account: 'Ihr Konto',
    switchApp: 'App wechseln',
    chooseApp: 'App auswählen',
    breadcrumbs: 'Navigationspfad',
    user: 'Ihr Menü',
  },
  actions: {
    save: 'Speichern',
    cancel: 'Abbrechen',
    delete: 'Löschen',
    edit: 'Bearbeiten',
    close: 'Schließen',
    create: 'Erstellen',
    retry: 'Erneut versuchen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    logOut: 'Abmelden',
    back: 'Zurück',
    add: 'Hinzufügen',
    remove: 'Entfernen',
    actionsOf: (name: string): string => `Aktionen für ${name}`,
  },
  pending: 'Wird geladen …',
  problems: {
    title: 'Etwas ist schiefgelaufen',
    loading: 'Laden fehlgeschlagen',
    unexpected:
      'Auf dieser Seite ist ein Fehler aufgetreten. Laden Sie sie neu. Falls er wieder auftritt, wenden Sie sich an Ihren Broadside-Administrator.',
    offline: 'Sie sind offline. Versuchen Sie es erneut, sobald Sie verbunden sind.',
    offlineTitle: 'Sie sind offline',
    offlineAbout:
      'Bis Sie wieder verbunden sind, wird nichts gesendet. Was Sie schreiben, bleibt in diesem Tab; Zahlen können veraltet sein.',
    pageMissing:
      'Diese Seite konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    late: 'Broadside antwortet zu langsam. Versuchen Sie es erneut.',
    notFoundTitle: 'Seite nicht gefunden',
    notFound: 'Vielleicht wurde die Seite gelöscht, oder die Adresse ist falsch.',
    toStart: 'Zur Startseite',
    waiting: (seconds: number): string =>
      `Broadside ist ausgelastet. Neuer Versuch in ${seconds} ${count(seconds, 'Sekunde', 'Sekunden')} …`,
    ofStatus: (status: number): string =>
      statuses[status] ?? (status >= 500 ? broken : 'Die Anfrage ist fehlgeschlagen.'),
  },
  never: 'nie',
  none: 'nicht vorhanden',
};

const broken =
  'Broadside konnte dies wegen eines internen Fehlers nicht ausführen. Versuchen Sie es erneut. Falls der Fehler wieder auftritt, wenden Sie sich an Ihren Broadside-Administrator.';

const statuses: Readonly<Record<number, string>> = {
  0: 'Broadside antwortet nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  400: 'Broadside hat die Anfrage nicht verstanden. Laden Sie die Seite neu und versuchen Sie es erneut.',
  401: 'Sie sind nicht mehr angemeldet.',
  403: 'Ihre Rolle erlaubt das nicht. Fragen Sie einen Admin Ihrer Organisation.',
  404: 'Das gibt es nicht mehr. Vielleicht hat es jemand gelöscht.',
  409: 'Jemand anderes hat dies inzwischen geändert. Laden Sie die Seite neu und versuchen Sie es erneut.',
  413: 'Die Anfrage ist zu groß.',
  422: 'Prüfen Sie das Formular: Einige Felder sind ungültig.',
  429: 'Zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es erneut.',
  503: 'Broadside ist ausgelastet oder startet gerade. Versuchen Sie es gleich noch einmal.',
};
