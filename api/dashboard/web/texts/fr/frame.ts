import type { TextsOf } from '../texts.ts';

/** Of the frame and its menu of commands, and of tables: nothing of it is on the page to log in. */
export const frame: TextsOf<'commands' | 'scheme' | 'table'> = {
  commands: {
    open: 'Rechercher',
    title: 'Recherche et commandes',
    placeholder: 'Une page, une notification, un segment, un abonné…',
    hint: 'Choisissez avec les flèches, ouvrez avec Entrée.',
    searching: 'Recherche en cours…',
    none: 'Aucun résultat.',
    act: 'Action',
    delivery: 'Notification',
    campaign: 'Campagne',
    segment: 'Segment',
    subscriber: 'Abonné',
    compose: 'Rédiger une notification',
    sheet: 'Raccourcis clavier',
    single: 'Raccourcis à une seule touche',
    singleHint:
      'Raccourcis sans Ctrl ni ⌘. Ils n’agissent pas pendant que vous écrivez dans un champ. Enregistré dans ce navigateur.',
    does: {
      menu: 'Rechercher, ouvrir une page ou lancer une commande',
      sheet: 'Cette liste',
      compose: 'Rédiger une notification',
      overview: 'Aller à la vue d’ensemble',
      deliveries: 'Aller aux envois',
      subscribers: 'Aller aux abonnés',
      segments: 'Aller aux segments',
      analytics: 'Aller aux statistiques',
      send: 'Dans une nouvelle notification : passer à l’envoi',
      close: 'Fermer une fenêtre ou un menu',
    },
  },
  scheme: { label: 'Couleurs', light: 'Clair', dark: 'Sombre', auto: 'Système' },
  table: {
    isNew: 'nouveau',
    before: (value: string): string => `contre ${value}`,
    columns: 'Colonnes',
    filters: (active: number): string => (active === 0 ? 'Filtres' : `Filtres (${active})`),
    page: (page: number, pages: number): string => `Page ${page} sur ${pages}`,
    range: (from: number, to: number, total: string): string => `${from}–${to} sur ${total}`,
    pages: 'Pages',
    acts: 'Actions',
    controls: {
      first: 'Première page',
      last: 'Dernière page',
      previous: 'Page précédente',
      next: 'Page suivante',
    },
  },
};
