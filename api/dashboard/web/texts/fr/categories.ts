import type { TextsOf } from '../texts.ts';

/** Delivery categories. */
export const categories: TextsOf<'categories'> = {
  categories: {
    title: 'Catégories',
    description:
      'Les thèmes de vos notifications, comme les alertes info ou le sport. Les lecteurs qui ont choisi des catégories ne reçoivent que celles-ci ; ceux qui n’ont jamais choisi les reçoivent toutes.',
    name: 'Nom',
    nameMissing: 'Donnez-lui un nom.',
    about: 'Description',
    aboutHint: 'Pour vous et vos collègues.',
    id: 'Numéro pour le SDK',
    created: 'Création',
    create: 'Nouvelle catégorie',
    editTitle: (name: string): string => `Modifier « ${name} »`,
    deleteTitle: (name: string): string => `Supprimer « ${name} »`,
    saved: (name: string): string => `La catégorie « ${name} » est enregistrée.`,
    question: (name: string): string => `Supprimer « ${name} » ?`,
    consequence:
      'Les notifications envoyées restent. Cette catégorie ne pourra plus servir à atteindre des lecteurs.',
    deleteAct: 'Supprimer la catégorie',
    deleted: (name: string): string => `La catégorie « ${name} » est supprimée.`,
    emptyTitle: 'Aucune catégorie pour l’instant',
    empty:
      'Avec les catégories, les lecteurs choisissent leurs thèmes. Créez la première, puis sélectionnez-la au moment d’envoyer.',
  },
};
