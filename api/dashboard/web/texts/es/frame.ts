import type { TextsOf } from '../texts.ts';

/** Of the frame and its menu of commands, and of tables: nothing of it is on the page to log in. */
export const frame: TextsOf<'commands' | 'scheme' | 'table'> = {
  commands: {
    open: 'Buscar',
    title: 'Ir a o hacer',
    placeholder: 'Una página, una notificación, un segmento, un suscriptor…',
    hint: 'Las flechas eligen, Intro abre.',
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
    singleHint:
      'Los que no usan Ctrl ni ⌘. Nunca actúan mientras escribe en un campo. Se guarda en este navegador.',
    does: {
      menu: 'Buscar, ir a una página o hacer algo',
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
    isNew: 'nuevo',
    before: (value: string): string => `desde ${value}`,
    columns: 'Columnas',
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
