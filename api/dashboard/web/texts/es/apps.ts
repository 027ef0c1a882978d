import type { TextsOf } from '../texts.ts';

/** Apps: their list, the first one, and one's overview. */
export const apps: TextsOf<'apps'> = {
  apps: {
    title: 'Sitios',
    description: 'Cada sitio tiene sus propios suscriptores, notificaciones y ajustes.',
    create: 'Crear un sitio',
    list: 'Sus sitios',
    name: 'Nombre',
    active: 'Suscriptores activos',
    created: 'Creado',
    emptyTitle: 'Cree su primer sitio',
    empty: 'Solo lleva un minuto: indique un nombre y la dirección del sitio.',
  },
};
