import type { Texts } from '../texts.ts';

/** What new subscribers get. */
export const welcome: Pick<Texts, 'welcome'> = {
  welcome: {
    description:
      'Una notificación para cada lector que se suscribe en su sitio. Sus cifras aparecen solo aquí: las del sitio no la cuentan.',
    saved: 'Guardado.',
    notification: 'Notificación',
    once: 'Una vez por navegador: no para los importados, ni para un lector que vuelve en 30 días. Quienes ya esperan reciben lo que guarde aquí.',
    enabled: 'Dar la bienvenida a los nuevos suscriptores',
    url: 'Enlace',
    image: 'URL de la imagen',
    icon: 'URL del icono',
    delay: 'Minutos tras la suscripción',
    delayHint: '0: en segundos. Como máximo 1440, un día.',
    results: (days) => `Bienvenidas de los últimos ${days} días`,
    asOf: (time) => `a fecha de ${time}`,
    days: (days) => `en ${days} días`,
    sent: 'Enviadas',
    displayed: 'Mostradas',
    clicked: 'Con clic',
    waiting: 'En espera',
  },
};
