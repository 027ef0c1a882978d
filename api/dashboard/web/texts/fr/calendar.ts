import type { TextsOf } from '../texts.ts';

/** What is sent when. */
export const calendar: TextsOf<'calendar'> = {
  calendar: {
    title: 'Calendrier',
    zone: (zone: string): string => `Ce qui est envoyé, programmé et attendu. Heures : ${zone}.`,
    view: 'Affichage',
    views: { month: 'Mois', week: 'Semaine' },
    before: { month: 'Mois précédent', week: 'Semaine précédente' },
    after: { month: 'Mois suivant', week: 'Semaine suivante' },
    today: 'Aujourd’hui',
    caption: 'Notifications par jour',
    add: (day: string): string => `En rédiger une pour ${day}`,
    more: (count: number): string => `${count} de plus`,
    expected: 'attendue',
    byReader: 'à l’heure locale du lecteur',
    sentTo: (count: string): string => `envoyée à ${count}`,
    empty: 'Rien n’est envoyé, programmé ou attendu ces jours-ci.',
    truncated: 'Il y en a trop pour tout afficher : passez à la semaine.',
    move: (name: string): string => `Déplacer ${name}`,
    act: 'Déplacer',
    moved: (name: string, time: string): string => `${name} est programmée pour ${time}.`,
    undo: 'Annuler',
  },
};
