import type { TextsOf } from '../texts.ts';

/** Log-in with an OpenID provider, and its settings. */
export const provider: TextsOf<'provider'> = {
  provider: {
    with: (name, organization) =>
      organization === null
        ? `Anmelden mit ${name}`
        : `Anmelden mit ${name}, dem Anbieter von ${organization}`,
    or: 'oder',
    away: 'Der Anbieter antwortet nicht. Melden Sie sich mit dem Passwort an oder versuchen Sie es später. Bleibt es dabei, fragen Sie einen Admin: Die Teamseite kann den Anbieter prüfen.',
    problems: {
      over: 'Die Anmeldung hat zu lange gedauert oder wurde anderswo abgeschlossen. Beginnen Sie neu.',
      away: 'Der Anbieter antwortet nicht. Melden Sie sich mit dem Passwort an oder versuchen Sie es später. Bleibt es dabei, fragen Sie einen Admin: Die Teamseite kann den Anbieter prüfen.',
      refused: 'Der Anbieter hat die Anmeldung abgelehnt. Beginnen Sie neu oder bitten Sie dort um Zugang.',
      wrong:
        'Die Antwort des Anbieters gehört nicht zu dieser Anmeldung und wurde nicht angenommen. Beginnen Sie neu. Bleibt es dabei, bitten Sie einen Admin, den Anbieter auf der Teamseite zu prüfen.',
      'no-email':
        'Der Anbieter nennt Ihre E-Mail-Adresse nicht. Bitten Sie dort, sie für diese Seite freizugeben.',
      unverified: 'Der Anbieter sagt nicht, dass Ihre E-Mail-Adresse bestätigt ist. Bestätigen Sie sie dort.',
      unknown:
        'Sie haben hier kein Konto, das dieser Anbieter öffnen darf. Bitten Sie einen Admin Ihrer Organisation um eine Einladung.',
      'no-group': 'Sie sind in keiner Gruppe, die sich anmelden darf. Fragen Sie beim Anbieter nach.',
      linked:
        'Das Konto Ihrer E-Mail-Adresse gehört einer anderen Person des Anbieters. Bitten Sie den Betreiber, die Verbindung zu lösen.',
    },
    title: 'Anmeldung über OpenID Connect',
    text: 'Mitglieder melden sich bei Ihrem eigenen Anbieter an. Er öffnet nur Konten dieser Organisation; Passwörter gelten weiter, und nach einem hier eingerichteten zweiten Faktor wird hier gefragt.',
    off: 'Es ist kein Anbieter eingerichtet.',
    setUp: 'Anbieter einrichten',
    change: 'Ändern',
    remove: 'Anbieter entfernen',
    removeText:
      'Beendet die Sitzungen, die der Anbieter begonnen hat. Benutzer bleiben; ohne Passwort brauchen sie einen Link zu einem neuen.',
    removed: 'Der Anbieter ist entfernt.',
    saved: 'Der Anbieter ist gespeichert.',
    register: 'Beim Anbieter für den Authorization-Code-Flow einzutragen:',
    redirectUri: 'Redirect-URI',
    logOutUri: 'Redirect-URI nach der Abmeldung',
    logInUrl: 'Ihre Anmeldeadresse',
    name: 'Name für die Schaltfläche',
    issuer: 'Issuer',
    issuerHint: 'Eine URL, wie sie in der Dokumentation des Anbieters steht.',
    clientId: 'Client-ID',
    clientSecret: 'Client-Secret',
    secretHint: 'Es wird nicht wieder angezeigt. Lassen Sie das Feld leer, um es zu behalten.',
    enabled: 'Anmeldung über diesen Anbieter erlauben',
    enabledHint: 'Ausgeschaltet enden die Sitzungen, die er begonnen hat.',
    makesUsers: 'Bei der ersten Anmeldung einen Benutzer anlegen',
    makesUsersHint: 'Nur mit den E-Mail-Domains, die der Betreiber eingetragen hat.',
    groupsClaim: 'Claim mit den Gruppen',
    adminGroups: 'Gruppen der Admins',
    memberGroups: 'Gruppen der Mitglieder',
    groupsHint: 'Eine pro Zeile. Ohne Gruppen bleiben Rollen, wie sie sind.',
    domains: 'E-Mail-Domains',
    domainsHint:
      'Eine pro Zeile. Nur Betreiber ändern sie: Wer dort eine Adresse hat, wird zu diesem Anbieter geschickt.',
    missing: 'Geben Sie einen Wert ein.',
    isOn: 'Aktiv',
    isOff: 'Inaktiv',
    try: 'Prüfen',
    tried: 'Alles in Ordnung: Die Anmeldung ist möglich.',
    faults: {
      unreachable:
        'Der Issuer ist nicht erreichbar. Prüfen Sie die URL; in einem privaten Netz oder ohne TLS muss ihn der Betreiber in OIDC_PRIVATE_HOSTS nennen.',
      'no-discovery': 'Der Issuer hat kein Discovery-Dokument. Die URL endet vor /.well-known.',
      'other-issuer':
        'Das Discovery-Dokument gehört einem anderen Issuer. Tragen Sie ihn genau so ein, wie es dort steht; den eines einzelnen Mandanten, keinen gemeinsamen.',
      'no-endpoints': 'Das Discovery-Dokument nennt keine Seiten für die Anmeldung oder keine Schlüssel.',
      'no-pkce':
        'Der Anbieter sagt nicht, dass er PKCE mit S256 kann. Erlauben Sie es dort für diesen Client.',
      'no-keys': 'Die Schlüssel des Anbieters sind nicht lesbar.',
      'wrong-client':
        'Der Anbieter lehnt Client-ID oder Secret ab. Tragen Sie beides neu ein; vielleicht ist das Secret abgelaufen.',
      'redirect-uri':
        'Der Anbieter lehnt die Redirect-URI ab. Tragen Sie sie dort genau so ein, wie sie gezeigt wird.',
    },
  },
};
