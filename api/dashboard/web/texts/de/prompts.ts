import type { Texts } from '../texts.ts';

/** How a site asks its readers. */
export const prompts: Pick<Texts, 'prompts'> = {
  prompts: {
    description:
      'Wie Ihre Website Leser nach Benachrichtigungen fragt. Die Frage des Browsers kommt erst nach einem Ja auf Ihre.',
    saved: 'Gespeichert. Ihre Seiten zeigen es innerhalb von zwei Minuten.',
    on: 'Opt-in-Abfrage',
    onHint:
      'Seiten, die in Broadside.init eine eigene Abfrage nennen, bleiben dabei. Ohne jede Abfrage zeigen Seiten eine Glocke.',
    enabled: 'Leser so fragen, wie hier eingestellt',
    look: 'Aussehen',
    variant: (name) => `Variante ${name}`,
    variantHint: 'Jeder Browser bekommt eine der beiden per Zufall und behält sie.',
    addVariant: 'Mit einer zweiten Abfrage vergleichen',
    remove: 'Entfernen',
    removeOf: (name) => `Variante ${name} entfernen`,
    previewOf: (name) => `Vorschau der Variante ${name}`,
    kind: 'Art',
    kinds: { 'slide-down': 'Einblendung', bar: 'Leiste', bell: 'Glocke' },
    place: 'Position',
    places: { bottom: 'Unten', top: 'Oben', right: 'Unten rechts', left: 'Unten links' },
    question: 'Frage',
    textsHint: 'Lassen Sie einen Text leer, um unseren zu zeigen, in der Sprache Ihrer Seite: Es gibt zwölf.',
    accept: 'Text der Schaltfläche „Ja“',
    later: 'Text der Schaltfläche „Jetzt nicht“',
    own: {
      question: 'Nachrichten sofort erfahren?',
      accept: 'Ja, benachrichtigen',
      later: 'Jetzt nicht',
    },
    categories: 'Leser wählen darin Kategorien',
    categoriesHint:
      'Die ersten zwölf nach ihrem Namen. Wer alle gewählt lässt, erhält auch spätere Kategorien.',
    colours: {
      background: 'Hintergrund',
      text: 'Text',
      accent: 'Schaltfläche',
      accent_text: 'Text der Schaltfläche',
    },
    rules: 'Wann',
    rulesHint: 'Alle Bedingungen müssen erfüllt sein. Eine Glocke richtet sich allein nach den Adressen.',
    pages: 'Ab Seitenaufruf Nummer',
    seconds: 'Nach so vielen Sekunden auf der Seite',
    scroll: 'Nach so viel Prozent der Seite',
    showOn: 'Nur auf diesen Adressen',
    hideOn: 'Nie auf diesen Adressen',
    pathsHint: 'Ein Pfad je Zeile, etwa /news/*. Ein * steht für beliebige Zeichen. Leer: überall.',
    pathWrong: 'Jede Zeile muss mit / oder * beginnen.',
    again: 'Nach „jetzt nicht“ wieder fragen',
    agains: { '3': 'Nach 3 Tagen', '7': 'Nach 7 Tagen', '30': 'Nach 30 Tagen', never: 'Nie' },
    winBack: 'Leser zurückgewinnen',
    winBackHint:
      'Leser, denen der Browser die Berechtigung entzogen hat, werden noch einmal gefragt, mit einem eigenen Text.',
    results: 'Ergebnisse',
    invented:
      '„Gezeigt“, „Ja“, „Erlaubt“ und „Jetzt nicht“ melden die Browser, jeder einmal; das ließe sich fälschen. Entscheidend sind die neuen Abonnenten. Mit geänderten Varianten beginnt die Zählung neu. Die Rate ist der Anteil neuer Abonnenten an den gezeigten Abfragen; darunter steht der Bereich, in dem sie mit 95 % Wahrscheinlichkeit liegt.',
    since: (day) => `Gezählt seit ${day}.`,
    variantHeader: 'Variante',
    counts: {
      shown: 'Gezeigt',
      accepted: 'Ja',
      granted: 'Erlaubt',
      dismissed: 'Jetzt nicht',
      subscribed: 'Abonniert',
    },
    rate: 'Rate',
    between: (low, high) => `${low} bis ${high}`,
    best: 'Beste mit',
  },
};
