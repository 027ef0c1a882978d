import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

export const standing: TextsOf<'standing'> = {
  standing: {
    description:
      'Cómo tratan sus notificaciones los navegadores y sus servicios push, y según qué las juzgan.',
    services: { fcm: 'Chrome', mozilla: 'Firefox', wns: 'Edge', apple: 'Safari', other: 'Otros' },
    states: { normal: 'Normal', limited: 'Limitado' },
    limitedTitle: 'El envío está limitado',
    limited: (service: string, allowed: string, since: string): string =>
      `Desde el ${since}, ${service} acepta como máximo ${allowed} mensajes por minuto.`,
    limitedUntil: (service: string, allowed: string, since: string, end: string): string =>
      `Desde el ${since}, ${service} acepta como máximo ${allowed} mensajes por minuto, probablemente hasta el ${end}.`,
    needs: (time: string): string => `Este envío necesita aproximadamente ${time}.`,
    expiring: (count: string): string =>
      `Caduca antes de llegar a ${count} ${plural(count, 'lector', 'lectores')}.`,
    now: 'Ahora',
    nowAbout:
      'Chrome limita los sitios cuyas notificaciones considera molestas a unos 1000 mensajes por minuto: durante un día, luego 7, luego 14.',
    risk: 'Permisos en riesgo',
    riskAbout:
      'Chrome retira el permiso a los sitios que un lector nunca visita y que muestran 28 notificaciones por semana en Android, 42 en ordenadores.',
    atRisk: 'Lectores en riesgo',
    ofSubscribers: (count: string): string => `de ${count} ${plural(count, 'suscriptor', 'suscriptores')}`,
    near: 'Cerca del límite',
    nearHint: 'a tres notificaciones como mucho',
    atLimit: 'En el límite',
    atLimitGuarded: 'la próxima se retiene',
    atLimitOpen: 'la próxima puede costar el permiso',
    guardOn: 'La protección está activa: retiene notificaciones para los lectores en el límite.',
    guardOff: 'La protección está inactiva: estos lectores reciben la próxima notificación de todos modos.',
    switchOn: 'Activar la protección',
    changeGuard: 'Cambiar la protección',
    sampled: 'Estimado a partir de una muestra de medio millón de lectores.',
    permissions: 'Permisos retirados',
    permissionsAbout: (days: string): string =>
      `Chrome retira el permiso a los sitios que un lector no visita. Se cuentan los lectores que volvieron al sitio en los últimos ${days} días; una solicitud se lo pide de nuevo.`,
    revoked: 'Perdidos',
    revokedHint: 'vistos en una visita',
    wonBack: 'Recuperados',
    wonBackHint: 'suscritos de nuevo',
    wonBackShare: 'Proporción recuperada',
    siteWeeks: 'Envíos por tiempo en el sitio',
    siteWeeksAbout:
      'Chrome juzga cada día por los envíos y las solicitudes según el tiempo que los lectores pasan en el sitio. Tiempo de los lectores suscritos, según sus navegadores.',
    siteWeeksEmpty: 'Ningún navegador ha comunicado aún su tiempo en el sitio.',
    weekFrom: 'Semana del',
    hoursOnSite: 'Horas en el sitio',
    pushesPerHour: 'Envíos por hora',
    promptsPerHour: 'Solicitudes por hora',
    week: 'Notificaciones por lector y semana',
    weekAbout:
      'Lo que los servicios push aceptaron en los últimos 7 días, para quienes están suscritos ahora.',
    weekEmpty: 'Aún no hay suscriptores.',
    browser: 'Navegador',
    unknownBrowser: 'Desconocido',
    subscribers: 'Suscriptores',
    average: 'Media',
    most: 'Máximo',
    pushes: 'Bajas en 48 horas',
    pushesAbout:
      'De los lectores para quienes se aceptó una notificación, con el intervalo de confianza del 95 %. Quien recibió varias cuenta en cada una.',
    pushesEmpty: 'Aún no se ha enviado nada.',
    push: 'Notificación',
    leftOf: (left: string, accepted: string): string => `${left} de ${accepted}`,
    left: 'Bajas',
    interval: 'Proporción (95 %)',
    range: (share: string, low: string, high: string): string => `${share} % (${low}–${high})`,
    notKnown: 'desconocida',
    open: 'aún contando',
    throttled: 'Respuestas «demasiado rápido»',
    throttledAbout: 'Por hora, en los últimos 7 días.',
    throttledEmpty: 'Ningún servicio push le pidió ir más despacio en los últimos 7 días.',
    throttledCount: 'Demasiado rápido',
    acceptedCount: 'Aceptadas',
    hour: 'Hora',
    service: 'Navegador',
    episodes: 'Límites anteriores',
    episodesAbout: 'Tras 42 días sin límite, Chrome vuelve a empezar con un solo día.',
    from: 'Desde',
    until: 'Hasta',
    goesOn: 'continúa',
    lowest: 'Mínimo por minuto',
    about: (count: string): string => `Unos ${count}`,
    prune: 'Dar de baja a lectores que nunca fueron localizables',
    pruneHint:
      'Una vez al día se da de baja a los lectores a quienes se enviaron notificaciones en ese tiempo y que no mostraron actividad.',
    pruneDays: 'Días sin visita, clic ni visualización',
    pruneCount: (count, shown, days) =>
      plural(
        count,
        `${shown} lector no mostró actividad en ${days} días.`,
        `${shown} lectores no mostraron actividad en ${days} días.`,
      ),
    pruneUnknown:
      'Ningún navegador de este sitio informa de lo que muestra, así que nadie se considera ilocalizable.',
    heldBack: (count: number, shown: string): string =>
      plural(
        count,
        `${shown} lector está cerca del límite de Chrome: esta notificación se retiene.`,
        `${shown} lectores están cerca del límite de Chrome: esta notificación se retiene para ellos.`,
      ),
    couldLose: (count: number, shown: string): string =>
      plural(
        count,
        `${shown} lector está en el límite de Chrome: Chrome podría retirar el permiso.`,
        `${shown} lectores están en el límite de Chrome: Chrome podría retirar el permiso.`,
      ),
  },
};
