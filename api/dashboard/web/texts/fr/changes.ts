import type { TextsOf } from '../texts.ts';

/** A notification that waits for its time, and is changed until then. */
export const changes: TextsOf<'change'> = {
  change: {
    change: 'Modifier',
    changeThis: 'Modifier cette notification',
    title: 'Modifier la notification',
    act: 'Enregistrer',
    done: 'La modification est enregistrée.',
    future: 'Choisissez une date à venir.',
    now: 'Envoyer maintenant',
    nowTitle: 'Envoyer maintenant ?',
    nowAbout: 'Elle n’attend pas son heure. L’audience est fixée au départ.',
    sentNow: 'L’envoi a commencé.',
    versions: 'Versions précédentes',
    versionsAbout: 'Ce qu’elle disait avant les modifications.',
    replaced: (time: string, who: string): string => `Jusqu’au ${time}, modifiée par ${who}`,
    wasFor: (time: string): string => `Prévue le ${time}`,
  },
};
