import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

/** Feeds: making one, changing it, and what was made of its items. */
export const feeds: TextsOf<'feeds'> = {
  feeds: {
    newTitle: 'Neuer Feed',
    changeTitle: 'Feed ändern',
    changeAbout:
      'Nach dem Speichern wird er sofort gelesen. Was schon gesendet wurde, wird nicht noch einmal gesendet.',
    description: 'Neue Beiträge eines RSS-, Atom- oder JSON-Feeds werden zu Benachrichtigungen.',
    feed: 'Feed',
    url: 'URL des Feeds',
    urlHint:
      'RSS, Atom oder JSON. Beim ersten Lesen wird nichts gesendet; danach wird jeder neue Beitrag einmal gesendet.',
    urlMissing: 'Geben Sie die URL des Feeds ein.',
    nameHint: 'Für Sie und Ihr Team. Leer: der Host des Feeds.',
    publish: 'Wer entscheidet',
    publishes: { review: 'Ich gebe jede Benachrichtigung frei', automatic: 'Automatisch senden' },
    publishAbout: {
      review: 'Neue Beiträge warten als Entwürfe, bis jemand sie freigibt.',
      automatic: 'Neue Beiträge werden gesendet, sobald sie gefunden sind.',
    },
    when: 'Wann Beiträge gesendet werden',
    whens: { items: 'Sobald sie kommen', digest: 'Gesammelt' },
    digestAbout: 'Zu diesen Zeiten eine Benachrichtigung über alles Neue; keine, wenn es nichts Neues gibt.',
    timeMissing: 'Wählen Sie die Tage und die Uhrzeit.',
    every: 'Prüfen alle',
    everySo: (duration: string): string => `Abstand: ${duration}`,
    perHour: 'Höchstens pro Stunde',
    overflow: 'Wenn es mehr sind',
    overflows: { summary: 'Die übrigen zusammenfassen', drop: 'Die übrigen weglassen' },
    overflowsShort: { summary: 'die übrigen werden zusammengefasst', drop: 'die übrigen werden weggelassen' },
    textsAbout:
      '{title}, {summary}, {category} und {author} stehen für die Angaben des Beitrags. Ein Klick führt zum Beitrag.',
    titleMissing: 'Geben Sie einen Titel ein, zum Beispiel {title}.',
    bodyMissing: 'Geben Sie einen Text ein, zum Beispiel {summary}.',
    image: 'Bild des Beitrags zeigen',
    itemIcon: 'Eigenes Symbol des Beitrags zeigen',
    itemIconAbout:
      'Das Gesicht seines Autors oder das Cover einer Folge, wenn der Feed eines hat. Sonst das Symbol unten oder das der App.',
    filter: 'Welche Beiträge',
    filterAbout: 'Drücken Sie nach jedem Eintrag die Eingabetaste. Leer: alle Beiträge.',
    filters: {
      categories: 'Nur in einer dieser Kategorien',
      words: 'Nur mit einem dieser Wörter',
      without: 'Nie mit einem dieser Wörter oder in einer dieser Kategorien',
    },
    preview: 'Der neueste Beitrag, wie Leser ihn sähen',
    previewEmpty: 'Geben Sie die URL eines Feeds ein, um ihn hier zu sehen.',
    reading: 'Der Feed wird gelesen …',
    unreadable: 'Der Feed ist nicht lesbar',
    noItems: (name: string): string => `„${name}“ hat zurzeit keine Beiträge.`,
    items: (name: string, items: number): string =>
      `„${name}“ hat zurzeit ${items} ${plural(items, 'Beitrag', 'Beiträge')}. Diese gelten als bekannt und werden nicht gesendet.`,
    itemsMatching: (name: string, items: number, matching: number): string =>
      `„${name}“ hat zurzeit ${items} ${plural(items, 'Beitrag', 'Beiträge')}; Ihr Filter lässt ${matching} davon durch.`,
    start: 'Feed starten',
    started: 'Der Feed wird ab jetzt gelesen.',
    saved: 'Der Feed ist geändert.',
    looks: 'Prüfung',
    lastRead: 'Zuletzt geprüft',
    neverRead: 'Noch nicht',
    failingSince: (time: string): string => `Das schlägt seit ${time} fehl.`,
    drafts: 'Entwürfe',
    draftsNone: 'Nichts wartet auf Sie. Neue Beiträge erscheinen hier.',
    draftsAbout: (count: number): string =>
      plural(
        count,
        'Ein Entwurf wartet auf Ihre Entscheidung.',
        `${count} Entwürfe warten auf Ihre Entscheidung.`,
      ),
    draftsWait: (count: number): string => plural(count, 'Ein Entwurf wartet', `${count} Entwürfe warten`),
    sumsUp: (items: number): string => `${items} ${plural(items, 'Beitrag', 'Beiträge')}`,
    found: (time: string): string => `Gefunden am ${time}:`,
    approve: 'Freigeben …',
    approveItem: (title: string): string => `Freigeben …: ${title}`,
    approveTitle: 'Diese Benachrichtigung senden?',
    approveAct: 'Jetzt senden',
    approved: 'Die Sendung hat begonnen.',
    dismiss: 'Verwerfen',
    dismissItem: (title: string): string => `Verwerfen: ${title}`,
    dismissTitle: 'Diesen Entwurf verwerfen?',
    dismissAbout: (title: string): string => `„${title}“ wird nie gesendet.`,
    dismissAct: 'Entwurf verwerfen',
    dismissed: 'Der Entwurf ist verworfen.',
  },
};
