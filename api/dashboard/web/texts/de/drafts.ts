import type { TextsOf } from '../texts.ts';

/** What a team writes before it sends. */
export const drafts: TextsOf<'drafts'> = {
  drafts: {
    description: 'Woran Ihr Team schreibt, und die Vorlagen dafür.',
    drafts: 'Entwürfe',
    templates: 'Vorlagen',
    templatesAbout: 'Eine Vorlage füllt die Seite zum Verfassen und bleibt, wie sie ist.',
    write: 'Verfassen',
    name: 'Name',
    by: 'Gespeichert von',
    at: 'Gespeichert',
    emptyTitle: { draft: 'Keine Entwürfe', template: 'Keine Vorlagen' },
    empty: {
      draft: 'Speichern Sie, was Sie schreiben, als Entwurf: Dann kann Ihr Team daran weiterarbeiten.',
      template: 'Speichern Sie als Vorlage, was Sie immer wieder senden.',
    },
    deleteNamed: (name: string): string => `${name} löschen`,
    question: (name: string): string => `${name} löschen?`,
    deleted: (name: string): string => `${name} wurde gelöscht.`,
    fromTemplate: (name: string): string => `Begonnen mit der Vorlage ${name}.`,
    isDraft: (name: string): string => `Ein Entwurf des Teams: ${name}.`,
    consequence: 'Dann kann niemand mehr daran arbeiten. Was gesendet wurde, bleibt.',
    deleteAct: 'Löschen',
    saveDraft: 'Als Entwurf speichern',
    saveTemplate: 'Als Vorlage speichern',
    unnamed: 'Ohne Titel',
    savedAlways: 'Wird beim Schreiben gespeichert',
    saving: 'Wird gespeichert …',
    failed: 'Nicht gespeichert. Bei der nächsten Änderung wird es erneut versucht.',
    notSaved: 'Nicht gespeichert: Jemand hat ihn geändert.',
    conflictAbout: 'Was Sie seither geschrieben haben, ist nicht gespeichert.',
    takeTheirs: 'Die andere Fassung nehmen',
    keepMine: 'Meine als weiteren Entwurf behalten',
    kept: {
      draft: (name: string): string => `Für das Team gespeichert: ${name}`,
      template: (name: string): string => `Die Vorlage ${name} ist gespeichert.`,
    },
    saved: (time: string): string => `Gespeichert um ${time}`,
    conflict: (who: string): string => `${who} hat diesen Entwurf geändert`,
  },
};
