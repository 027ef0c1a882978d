import type { Texts } from '../texts.ts';

/** Lo que reciben los nuevos suscriptores. */
export const welcome: Pick<Texts, 'welcome'> = {
  welcome: {
    description:
      'Una notificación para cada lector que se suscribe en su sitio. Sus cifras están solo aquí: las del sitio no la cuentan.',
    saved: 'Guardado.',
    notification: 'Notificación',
    once: 'Una vez por navegador: no para los importados, ni para un lector que vuelve en 30 días. Quienes ya esperan reciben lo que guarde aquí.',
    enabled: 'Dar la bienvenida a los nuevos suscriptores',
    url: 'Enlace',
    image: 'Dirección de una imagen',
    icon: 'Dirección de un icono',
    delay: 'Minutos tras la suscripción',
    delayHint: '0: en segundos; como máximo 1.440, un día.',
    results: (days) => `Bienvenidas de los últimos ${days} días`,
    asOf: (time) => `a las ${time}`,
    days: (days) => `en ${days} días`,
    sent: 'Enviadas',
    displayed: 'Mostradas',
    clicked: 'Con clic',
    waiting: 'En espera',
  },
};
