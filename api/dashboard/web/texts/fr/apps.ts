import type { TextsOf } from '../texts.ts';

/** Apps: their list, the first one, and one's overview. */
export const apps: TextsOf<'apps'> = {
  apps: {
    title: 'Sites',
    description: 'Chaque site a ses propres abonnés, ses notifications et ses réglages.',
    create: 'Créer un site',
    list: 'Vos sites',
    name: 'Nom',
    active: 'Abonnés actifs',
    created: 'Création',
    emptyTitle: 'Créez votre premier site',
    empty: 'Une minute suffit : donnez-lui un nom et indiquez son adresse.',
  },
};
