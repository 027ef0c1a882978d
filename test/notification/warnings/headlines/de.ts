/** As newsrooms write them, news about deception among them. None of them deceives anybody. */
export const headlines = `
Bundestag beschließt Haushalt nach langer Nacht
Sturmwarnung an der Küste: Züge fallen bis Donnerstag aus
EZB lässt Leitzins unverändert
Zwei Tote nach Lawine in Tirol
Gespräche über Waffenruhe gehen in Genf weiter
Bayern gewinnt das Derby 3:1
Hochwasser: Tausende müssen ihre Häuser verlassen
Warnung vor verunreinigter Babynahrung
Forscher entdecken zwei neue Viren in Fledermäusen
Vogelgrippe-Virus in Milchkühen gefunden
Millionen Router mit Schadsoftware infiziert
Polizei warnt vor falschen Paket-SMS
Betrüger geben sich als Bankmitarbeiter aus
„Ihr Konto wurde gesperrt“: Diese SMS kostete eine Rentnerin ihr Erspartes
So erkennen Sie, ob Ihr Handy gehackt wurde
Ist Ihr Handy infiziert? Fünf Anzeichen
Was tun, wenn Ihre Karte im Ausland gesperrt wird
Warum Ihr Konto bald geschlossen werden könnte
Microsoft schließt 60 Sicherheitslücken in Windows
Windows 10: Support endet, was Ihre Optionen sind
Google warnt vor neuer Sicherheitslücke in Chrome
Apple warnt Nutzer in 92 Ländern vor Spionagesoftware
Chrome jetzt aktualisieren: Google schließt Lücke
Samsung ruft Handys mit defektem Akku zurück
Bitcoin steigt erstmals über 100.000 Dollar
Bitcoin verdoppelt seinen Wert binnen eines Jahres
Wie Sie Ihr Geld bis zur Rente verdoppeln
Kryptobörse pleite: Kunden warten auf ihr Geld
Haft für Bitcoin-Betrüger, der Anlegern doppelte Einsätze versprach
Rentner aus Kassel gewinnt 38 Millionen im Lotto
Haben Sie gewonnen? Die Lottozahlen vom Samstag
Sie haben das Derby gewonnen und feiern
Sie haben den Nobelpreis gewonnen: die drei Physiker im Porträt
Niemand holt ihn ab: Lottogewinn in Millionenhöhe verfällt
„Sie haben gewonnen!“ – die alte Masche ist zurück
Herzlichen Glückwunsch, Grundgesetz!
Herzlichen Glückwunsch, Udo: Der Sänger wird 80
PayPal erhöht Gebühren für Händler
Amazon streicht 14.000 Stellen
Netflix beendet das Teilen von Konten
Hacker veröffentlichen Daten von zwei Millionen Patienten
Enkeltrick mit KI: Wie Betrüger Stimmen fälschen
Das Virus, das die Welt veränderte
Ihr Wochenende in fünf Bildern
Ihr Kompass für die Kommunalwahl
Ihr Geld: Das ändert sich im neuen Jahr
Ihre Rechte, wenn das Paket nicht ankommt
Letzte Chance auf Polarlichter in diesem Jahr
So prüfen wir Bilder, bevor wir sie zeigen
Bestätigt: Gipfel findet in Prag statt
Live: Die Auszählung im Ticker
Eilmeldung: Ministerpräsident tritt zurück
Tor! Deutschland führt nach 12 Minuten
Bahnstreik ab Montag: Diese Linien sind betroffen
Immobilienpreise fallen den sechsten Monat
Batteriefabrik schafft 3.000 Arbeitsplätze
Handyverbot an Schulen ab September
Sängerin klagt: Instagram sperrt ihr Konto ohne Grund
Hunderte Konten nach Cyberangriff auf Bank gesperrt
Versicherer senken die garantierte Rendite
Schauspielerin: Mein Handy wurde gehackt
Morgenlage: Die drei Themen des Tages
`
  .trim()
  .split('\n');

/** As deceptive notifications have them. */
export const deceptions: Readonly<Record<string, readonly string[]>> = {
  'account-threat': [
    'Ihr Konto wurde gesperrt!',
    'Achtung: Ihr Bankkonto wird gesperrt',
    'Bestätigen Sie Ihre Identität',
    'Dein Paket konnte nicht zugestellt werden',
    'Verdächtige Anmeldung in Ihrem Konto',
  ],
  prize: [
    'Du hast gewonnen!',
    'Sie haben ein iPhone gewonnen',
    'Herzlichen Glückwunsch, Sie wurden ausgewählt',
    'Ihr Gewinn wartet',
    'Sie sind der glückliche Gewinner',
    'Sichern Sie sich jetzt Ihren Gutschein',
  ],
  'fake-system-message': [
    'Ihr Handy ist infiziert',
    'Virus entdeckt!',
    'Warnung: 5 Viren auf Ihrem Gerät',
    'Ihr Akku ist beschädigt',
    'Reinigen Sie Ihr Handy jetzt',
  ],
  impersonation: [
    'Chrome-Sicherheitswarnung',
    'Google-Warnung: Ihre Fotos werden gelöscht',
    'Ihr Browser ist veraltet',
    'Browser-Update erforderlich',
  ],
  'money-doubling': [
    'Verdoppeln Sie Ihre Bitcoins',
    'Verdopple dein Geld',
    'Garantierte Gewinne',
    'Senden Sie 1 BTC, Sie bekommen das Doppelte zurück',
  ],
};
