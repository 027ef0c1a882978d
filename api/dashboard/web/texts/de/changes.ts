import type { TextsOf } from '../texts.ts';

/** A notification that waits for its time, and is changed until then. */
export const changes: TextsOf<'change'> = {
  change: {
    change: 'Ändern',
    changeThis: 'Diese Benachrichtigung ändern',
    title: 'Benachrichtigung ändern',
    act: 'Speichern',
    done: 'Die Änderung ist gespeichert.',
    future: 'Wählen Sie einen Zeitpunkt in der Zukunft.',
    now: 'Jetzt senden',
    nowTitle: 'Jetzt senden?',
    nowAbout:
      'Sie wird sofort statt zum geplanten Zeitpunkt gesendet. Die Zielgruppe wird beim Start bestimmt.',
    sentNow: 'Sie wird gesendet.',
    versions: 'Frühere Fassungen',
    versionsAbout: 'Was vor den Änderungen dort stand.',
    replaced: (time: string, who: string): string => `Bis ${time}, geändert von ${who}`,
    wasFor: (time: string): string => `Für ${time}`,
  },
};
