import type { Texts } from '../texts.ts';

/** Wie eine Website ihre Leser fragt. */
export const prompts: Pick<Texts, 'prompts'> = {
  prompts: {
    description:
      'Wie Ihre Website Leser nach Benachrichtigungen fragt. Die Frage des Browsers kommt erst nach einem Ja auf Ihre.',
    saved: 'Gespeichert. Ihre Seiten folgen innerhalb von zwei Minuten.',
    on: 'Abfrage',
    onHint:
      'Seiten, die in Broadside.init eine eigene Abfrage nennen, bleiben dabei. Ohne jede Abfrage zeigen Seiten eine Glocke.',
    enabled: 'Leser so fragen, wie hier eingestellt',
    look: 'Aussehen',
    variant: (name) => `Variante ${name}`,
    variantHint: 'Jeder Browser bekommt eine der beiden durch Los und behält sie.',
    addVariant: 'Mit einer zweiten Abfrage vergleichen',
    remove: 'Entfernen',
    removeOf: (name) => `Variante ${name} entfernen`,
    previewOf: (name) => `Vorschau der Variante ${name}`,
    kind: 'Art',
    kinds: { 'slide-down': 'Herabgleitend', bar: 'Leiste', bell: 'Glocke' },
    place: 'Platz',
    places: { bottom: 'Unten', top: 'Oben', right: 'Unten rechts', left: 'Unten links' },
    question: 'Frage',
    textsHint:
      'Wo Sie einen Text leer lassen, sehen Leser unseren in der Sprache Ihrer Seite: Es gibt zwölf.',
    accept: 'Knopf für ja',
    later: 'Knopf für jetzt nicht',
    own: {
      question: 'Nachrichten sofort erfahren?',
      accept: 'Ja, benachrichtigen',
      later: 'Jetzt nicht',
    },
    categories: 'Leser wählen darin Kategorien',
    categoriesHint:
      'Die ersten zwölf nach ihrem Namen. Wer alle gewählt lässt, erhält auch spätere Kategorien.',
    colours: { background: 'Hintergrund', text: 'Text', accent: 'Knopf', accent_text: 'Text auf dem Knopf' },
    rules: 'Wann',
    rulesHint: 'Alle Bedingungen müssen erfüllt sein. Eine Glocke richtet sich allein nach den Adressen.',
    pages: 'Ab Seitenaufruf',
    seconds: 'Nach Sekunden auf der Seite',
    scroll: 'Nach Prozent der Seite',
    showOn: 'Nur auf diesen Adressen',
    hideOn: 'Nie auf diesen Adressen',
    pathsHint: 'Ein Pfad je Zeile, etwa /news/*. Ein * steht für beliebige Zeichen. Leer: überall.',
    pathWrong: 'Jede Zeile muss mit / oder * beginnen.',
    again: 'Nach „jetzt nicht“ wieder fragen',
    agains: { '3': 'Nach 3 Tagen', '7': 'Nach 7 Tagen', '30': 'Nach 30 Tagen', never: 'Nie' },
    winBack: 'Leser zurückgewinnen',
    winBackHint: 'Wo der Browser die Erlaubnis entzogen hat: noch einmal gefragt, mit eigenen Worten.',
    results: 'Ergebnisse',
    invented:
      'Gezeigt, ja, erlaubt und jetzt nicht melden Browser, jeder einmal: Fremde könnten das erfinden. Es entscheiden die neuen Abonnenten. Mit anderen Varianten beginnt die Zählung neu. Die Rate ist neue Abonnenten von gezeigt; darunter, wo sie mit 95 % liegt.',
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
