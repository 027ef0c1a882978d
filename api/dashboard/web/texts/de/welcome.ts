import type { Texts } from '../texts.ts';

/** What new subscribers get. */
export const welcome: Pick<Texts, 'welcome'> = {
  welcome: {
    description:
      'Eine Benachrichtigung für jeden Leser, der auf Ihrer Website abonniert. Ihre Zahlen stehen nur hier: In den Zahlen der App zählt sie nicht mit.',
    saved: 'Gespeichert.',
    notification: 'Benachrichtigung',
    once: 'Einmal für jeden Browser: nicht für importierte, und nicht für Leser, die innerhalb von 30 Tagen zurückkommen. Wer schon wartet, bekommt, was Sie hier speichern.',
    enabled: 'Neue Abonnenten begrüßen',
    url: 'Link',
    image: 'Bild-URL',
    icon: 'Icon-URL',
    delay: 'Minuten nach dem Abonnieren',
    delayHint: '0: innerhalb von Sekunden. Höchstens 1.440, ein Tag.',
    results: (days) => `Begrüßungen der letzten ${days} Tage`,
    asOf: (time) => `Stand ${time}`,
    days: (days) => `in ${days} Tagen`,
    sent: 'Gesendet',
    displayed: 'Angezeigt',
    clicked: 'Geklickt',
    waiting: 'Ausstehend',
  },
};
