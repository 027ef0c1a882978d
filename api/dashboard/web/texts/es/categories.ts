import type { TextsOf } from '../texts.ts';

/** Delivery categories. */
export const categories: TextsOf<'categories'> = {
  categories: {
    title: 'Categorías',
    description:
      'Temas de las notificaciones, como última hora o deportes. Los lectores que eligieron categorías reciben solo esas, y los que nunca eligieron las reciben todas.',
    name: 'Nombre',
    nameMissing: 'Escriba un nombre.',
    about: 'Descripción',
    aboutHint: 'Para usted y su equipo.',
    id: 'Número para el SDK',
    created: 'Creada',
    create: 'Nueva categoría',
    editTitle: (name: string): string => `Editar ${name}`,
    deleteTitle: (name: string): string => `Eliminar ${name}`,
    saved: (name: string): string => `Se ha guardado ${name}.`,
    question: (name: string): string => `¿Eliminar ${name}?`,
    consequence:
      'Las notificaciones enviadas se conservan. Esta categoría ya no se podrá usar para llegar a los lectores.',
    deleteAct: 'Eliminar categoría',
    deleted: (name: string): string => `Se ha eliminado ${name}.`,
    emptyTitle: 'Todavía no hay categorías',
    empty: 'Con las categorías, los lectores eligen sus temas. Cree la primera y selecciónela al enviar.',
  },
};
