import type { TextsOf } from '../texts.ts';

/** Of the page of alerts: channels, and what was sent. */
export const alerts: TextsOf<'alerts'> = {
  alerts: {
    title: 'Alertas',
    description:
      'A quién se avisa cuando algo requiere atención, y qué se ha enviado. Solo los administradores ven esta página.',
    emptyTitle: 'Aún no hay canales de alertas',
    empty:
      'Broadside avisa a su organización por correo electrónico, webhook o Slack: por ejemplo, cuando un envío falla, un servicio push limita un sitio o se dan de baja más lectores de lo habitual. Primero añada un canal y después envíele una alerta de prueba.',
    channels: 'Canales',
    add: 'Añadir un canal',
    make: 'Añadir',
    added: (name) => `Se ha añadido ${name}.`,
    kind: 'Tipo',
    kinds: { email: 'Correo electrónico', webhook: 'Webhook', slack: 'Webhook compatible con Slack' },
    number: (id) => `Canal ${id}`,
    address: 'Dirección',
    addressHints: {
      email: 'Una sola dirección de correo electrónico.',
      webhook: 'Una URL https en la internet pública. Broadside firma sus peticiones.',
      slack: 'La URL que le ha dado Slack o un servicio compatible. Después solo se muestra su origen.',
    },
    addressMissing: 'Introduzca una dirección.',
    wanted: 'Alertas que recibe',
    wantedMissing: 'Elija al menos una.',
    labels: {
      'delivery-failed': 'Envíos fallidos',
      'delivery-stuck': 'Envíos detenidos',
      'standing-changed': 'Ritmo limitado',
      'unusual-unsubscribing': 'Muchas bajas',
      'ad-statistics-late': 'Estadísticas de anuncios con retraso',
      'feed-broken': 'Feeds con fallos',
      test: 'Alerta de prueba',
    },
    when: {
      'delivery-failed': 'Un envío ha fallado.',
      'delivery-stuck': 'Un envío lleva una hora sin avanzar.',
      'standing-changed': 'Un servicio push ha empezado o ha dejado de limitar un sitio.',
      'unusual-unsubscribing': 'Más lectores de lo habitual se han dado de baja tras un envío.',
      'ad-statistics-late':
        'Las estadísticas de anuncios llevan más de 48 horas de retraso. Para organizaciones que ven ingresos.',
      'feed-broken': 'Un feed no se ha podido leer tres veces seguidas, o vuelve a leerse.',
    },
    status: 'Estado',
    enabled: 'Activado',
    disabled: 'Desactivado',
    lastAnswer: 'Última respuesta',
    secretTitle: 'Secreto del webhook',
    secret: 'Secreto',
    once: 'Copie el secreto ahora y guárdelo en un lugar seguro: no se volverá a mostrar nunca. Si se pierde, elimine el canal y añádalo de nuevo.',
    secretUse: 'Con el secreto, su programa comprueba que una alerta viene de Broadside (Standard Webhooks).',
    kept: 'Ya lo he copiado',
    changeName: (name) => `Editar ${name}`,
    changeHint: 'Para otra dirección, añada otro canal.',
    changed: (name) => `Se ha cambiado ${name}.`,
    enable: 'Activar',
    enableName: (name) => `Activar ${name}`,
    nowEnabled: (name) => `Se ha activado ${name}.`,
    disable: 'Desactivar',
    disableName: (name) => `Desactivar ${name}`,
    nowDisabled: (name) => `Se ha desactivado ${name}: no recibe alertas nuevas.`,
    deleteName: (name) => `Eliminar ${name}`,
    question: (name) => `¿Eliminar ${name}?`,
    consequence:
      'Las alertas en espera para este canal no se enviarán, y las ya enviadas desaparecen del historial. Esta acción no se puede deshacer.',
    deleteAct: 'Eliminar canal',
    deleted: (name) => `Se ha eliminado ${name}.`,
    test: 'Enviar una alerta de prueba',
    testName: (name) => `Enviar una alerta de prueba a ${name}`,
    testing: (name) => `La alerta de prueba a ${name} está en camino.`,
    testSent: (name, answer) => `La alerta de prueba ha llegado a ${name}: ${answer}.`,
    testFailed: (name, answer) => `La alerta de prueba no ha llegado a ${name}: ${answer}.`,
    testAgain: (name, answer) =>
      `La alerta de prueba aún no ha llegado a ${name}: ${answer}. Broadside lo intenta de nuevo; el historial muestra el resultado.`,
    testLate: (name) =>
      `Aún no hay respuesta de ${name}. El historial la mostrará cuando llegue. Las alertas de prueba se envían mientras funciona un motor.`,
    history: 'Historial',
    historyHint: 'Las alertas de los últimos 90 días, las más recientes primero.',
    historyEmpty: 'No ha habido alertas en los últimos 90 días.',
    at: 'Hora',
    what: 'Alerta',
    sends: 'Enviada a',
    nowhere: 'ningún canal',
    states: {
      waiting: 'En espera',
      held: 'Retenida',
      summed: 'Agrupada',
      sent: 'Enviada',
      failed: 'Fallida',
    },
    more: (count) => `representa ${count} más`,
    happened: {
      'delivery-failed': (of) => `«${of('name')}» ha fallado. ${of('reason')}`,
      'delivery-stuck': (of) => `«${of('name')}» lleva más de ${of('minutes')} minutos sin avanzar.`,
      'standing-changed': (of) => {
        if (of('standing') === 'normal') return `${of('service')} ya no limita este sitio.`;
        return of('probable_end') === ''
          ? `Desde el ${of('since')}, ${of('service')} acepta como máximo ${of('allowed_per_minute')} mensajes por minuto de este sitio.`
          : `Desde el ${of('since')}, ${of('service')} acepta como máximo ${of('allowed_per_minute')} mensajes por minuto de este sitio, probablemente hasta el ${of('probable_end')}.`;
      },
      'unusual-unsubscribing': (of) =>
        `${of('unsubscribed')} lectores se han dado de baja en la hora siguiente a «${of('name')}».`,
      'ad-statistics-late': (of) =>
        `Las estadísticas de anuncios solo están completas hasta ${of('complete_until')}.`,
      'feed-broken': (of) =>
        of('state') === 'broken'
          ? `No se envía nada nuevo de «${of('name')}»: su feed no se puede leer. ${of('reason')}`
          : `El feed de «${of('name')}» vuelve a leerse.`,
      test: () => 'Un administrador ha probado el canal.',
    },
  },
};
