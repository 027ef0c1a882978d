import type { Texts } from '../texts.ts';

export const nl: Texts = {
  question: 'Het nieuws meteen ontvangen?',
  benefit: 'Ook als deze pagina gesloten is. U kunt ze op elk moment uitzetten.',
  accept: 'Ja, stuur meldingen',
  later: 'Niet nu',
  winBack:
    'Uw browser heeft de meldingen van deze site uitgezet, omdat u hier een tijd niet was. Weer aanzetten?',
  choose: 'Waarover?',
  subscribe: 'Meldingen aanzetten',
  unsubscribe: 'Meldingen uitzetten',
  subscribed: 'Meldingen staan aan.',
  unsubscribed: 'Meldingen staan uit.',
  denied: 'Meldingen zijn geblokkeerd. Sta ze toe in de instellingen van uw browser voor deze site.',
  homeScreen:
    'Om hier meldingen te krijgen, tikt u op ‘Deel’, daarna op ‘Zet op beginscherm’ met ‘Open als webapp’, en opent u de pagina van daaruit.',
  failed: 'Dat is niet gelukt. Probeer het later opnieuw.',
  close: 'Sluiten',
  quiet: 'Heeft uw browser niets gevraagd, of toont hij alleen een doorgestreepte bel in de adresbalk?',
  showHow: 'Laat zien hoe ik ze toesta',
  helpTitle: 'Zo zet u meldingen aan',
  helpEnd: 'Laad deze pagina daarna opnieuw.',
  help: {
    chromeDesktop: [
      'Klik op het pictogram links van het adres.',
      'Open ‘Site-instellingen’.',
      'Kies bij ‘Meldingen’ voor ‘Toestaan’.',
    ],
    chromeAndroid: [
      'Tik op het pictogram links van het adres.',
      'Tik op ‘Rechten’ en daarna op ‘Meldingen’.',
      'Zet ‘Meldingen tonen’ aan.',
      'Is dat grijs, sta dan eerst meldingen van Chrome toe in de Android-instellingen onder ‘Apps’.',
    ],
    edge: [
      'Klik op het pictogram links van het adres.',
      'Open ‘Machtigingen voor deze site’.',
      'Kies bij ‘Meldingen’ voor ‘Toestaan’.',
    ],
    firefox: [
      'Klik op het pictogram links van het adres.',
      'Verwijder bij ‘Meldingen sturen’ de aanduiding ‘Geblokkeerd’.',
      'Tik op Android op het slot en daarna op ‘Melding’, tot er ‘Toegestaan’ staat.',
    ],
    safari: [
      'Open in de menubalk ‘Safari’ en daarna ‘Instellingen’.',
      'Kies ‘Websites’ en daarna ‘Meldingen’.',
      'Kies bij deze site voor ‘Sta toe’.',
    ],
    ios: [
      'Tik op ‘Deel’, daarna op ‘Zet op beginscherm’ met ‘Open als webapp’, en open de site van daaruit.',
      'Staat hij daar al, open dan de app ‘Instellingen’ en daarna ‘Meldingen’.',
      'Kies deze site en zet ‘Sta meldingen toe’ aan.',
    ],
  },
};
