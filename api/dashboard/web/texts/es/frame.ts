import type { TextsOf } from '../texts.ts';

/** Of the frame and its menu of commands, and of tables: nothing of it is on the page to log in. */
export const frame: TextsOf<'commands' | 'scheme' | 'table'> = {
  commands: {
    open: 'Buscar',
    title: 'Búsqueda y comandos',
    placeholder: 'Una página, una notificación, un segmento, un suscriptor…',
    hint: 'Elija con las flechas y abra con Intro.',
    searching: 'Buscando…',
    none: 'Sin resultados.',
    act: 'Acción',
    delivery: 'Notificación',
    campaign: 'Campaña',
    segment: 'Segmento',
    subscriber: 'Suscriptor',
    compose: 'Redactar una notificación',
    sheet: 'Atajos de teclado',
    single: 'Atajos de una sola tecla',
    singleHint: 'Atajos sin Ctrl ni ⌘. No actúan mientras escribe en un campo. Se guarda en este navegador.',
    does: {
      menu: 'Buscar, ir a una página o ejecutar un comando',
      sheet: 'Esta lista',
      compose: 'Redactar una notificación',
      overview: 'Ir al resumen',
      deliveries: 'Ir a los envíos',
      subscribers: 'Ir a los suscriptores',
      segments: 'Ir a los segmentos',
      analytics: 'Ir a la analítica',
      send: 'En una notificación nueva: pasar al envío',
      close: 'Cerrar un diálogo o un menú',
    },
  },
  scheme: { label: 'Colores', light: 'Claro', dark: 'Oscuro', auto: 'Sistema' },
  table: {
    columns: 'Columnas',
    filters: (active: number): string => (active === 0 ? 'Filtros' : `Filtros (${active})`),
    page: (page: number, pages: number): string => `Página ${page} de ${pages}`,
    range: (from: number, to: number, total: string): string => `${from}–${to} de ${total}`,
    pages: 'Páginas',
    acts: 'Acciones',
    controls: {
      first: 'Primera página',
      last: 'Última página',
      previous: 'Página anterior',
      next: 'Página siguiente',
    },
  },
};
