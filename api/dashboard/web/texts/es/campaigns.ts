import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

/** Campaigns: their list, and one of them while it runs and after. */
export const campaigns: TextsOf<'campaigns' | 'campaign'> = {
  campaigns: {
    description:
      'Pruebas con ganadora, envíos a la hora local, envíos que se repiten y feeds. De la más reciente a la más antigua.',
    emptyTitle: 'Aún no hay campañas',
    empty:
      'Una campaña hace varios envíos por sí sola. Prueba varios títulos y envía el mejor a los demás lectores, llega a los lectores a las 7:30 estén donde estén, o se repite cada mañana. Redacte una notificación y añada una variante o elija otro momento. O deje que un feed envíe lo que usted publica.',
    none: 'Ninguna campaña cumple ambos filtros. Quite uno o bórrelos.',
    name: 'Campaña',
    kind: 'Tipo',
    status: 'Estado',
    next: 'Próximo paso',
    nextByYou: 'Usted elige la ganadora',
    accepted: 'Aceptados',
    of: (done: string, total: string): string => `${done} de ${total}`,
    progress: (done: string, total: string): string =>
      `${done} de ${total} ${plural(total, 'lector', 'lectores')}`,
    kinds: {
      ab_test: 'Prueba',
      local_time: 'Hora local',
      recurring: 'Se repite',
      feed: 'Feed',
      quiet_hours: 'Horas de silencio',
    },
    statuses: {
      scheduled: 'Programada',
      running: 'En curso',
      deciding: 'Pendiente de usted',
      completed: 'Completada',
      cancelled: 'Cancelada',
      failed: 'Fallida',
    },
    everyDayAt: (time: string): string => `Todos los días a las ${time}`,
    weekdaysAt: (time: string): string => `De lunes a viernes a las ${time}`,
    daysAt: (days: string, time: string): string => `${days} a las ${time}`,
    byCron: (line: string): string => `Según la línea de cron ${line}`,
    whereTheyAre: 'hora local del lector',
  },
  campaign: {
    partOf: (name: string): string => `Parte de la campaña «${name}»`,
    parent: (id: number): string => `Campaña ${id}`,
    next: 'Qué pasa después',
    state: 'Cómo terminó',
    counts: 'Cifras de todos los envíos',
    planTestClicks: (share: string, after: string, fallback: string): string =>
      `Una prueba: el ${share} % de la audiencia recibe las variantes, a partes iguales. Tras la duración de la prueba (${after}), los demás reciben la que tenga la mejor tasa de clics con un 95 % de probabilidad, o la variante ${fallback} si ninguna la tiene.`,
    planTestHand: (share: string): string =>
      `Una prueba: el ${share} % de la audiencia recibe las variantes, a partes iguales. Usted elige la que reciben los demás.`,
    planTestNever: (share: string): string =>
      `Una prueba: el ${share} % de la audiencia recibe las variantes, a partes iguales. Los demás no reciben nada.`,
    planLocal: (time: string): string =>
      `Cada lector la recibe el ${time}, según el reloj del lugar en que está.`,
    planRecurring: (when: string, zone: string): string => `${when}, ${zone}.`,
    planFeed: (host: string): string =>
      `Los artículos nuevos del feed de ${host} se convierten en notificaciones.`,
    nextLook: (time: string): string => `El feed se comprueba de nuevo el ${time}.`,
    roleItem: 'Artículo',
    roleSummary: 'Resumen',
    planQuiet: (from: string, to: string): string =>
      `Los lectores cuyas horas de silencio (de ${from} a ${to}) han empezado la reciben cuando terminan.`,
    nextCompleted: 'Todos sus envíos están creados. Pueden seguir en camino.',
    nextCancelled: 'Se canceló. Los mensajes que llegaron a un servicio push quedan enviados.',
    nextFailed: 'Falló.',
    nextDeciding: 'Está pendiente de usted. Elija la variante que reciben todos los demás lectores.',
    nextSoon: 'El próximo paso llega en un momento.',
    nextTest: (time: string): string => `Las variantes salen el ${time}.`,
    nextDecision: (time: string): string =>
      `El ${time} deciden los clics, y la ganadora llega a los demás lectores.`,
    nextZones: (times: string): string => `Los lectores la reciben según su propio reloj: ${times}.`,
    nextZonesUnknown: 'Los lectores la reciben según su propio reloj. Ahora mismo no se pueden contar.',
    nextFiring: (time: string): string => `La próxima sale el ${time}.`,
    variant: (number: string): string => `Variante ${number}`,
    variants: 'Variantes',
    variantShown: 'Variante mostrada',
    variantsAbout:
      'La marca es la tasa de clics hasta ahora. Con un 95 % de probabilidad, la tasa real está dentro de la barra.',
    variantsNone: 'Los clics se muestran aquí cuando las variantes estén enviadas.',
    rate: (rate: string, low: string, high: string): string => `Tasa de clics ${rate} (de ${low} a ${high})`,
    rateUnknown: 'Tasa de clics: aún no hay mensajes aceptados',
    rateAlone: (rate: string): string => `Tasa de clics: ${rate}`,
    tooEarly: (missing: number): string =>
      missing === 0
        ? 'Demasiado pronto para comparar'
        : `Demasiado pronto para comparar: ${plural(missing, 'falta 1 mensaje aceptado', `faltan ${missing} mensajes aceptados`)}`,
    best: (chance: string): string => `Probabilidad de ser la mejor: ${chance}`,
    difference: (low: string, high: string): string =>
      `Con un 95 % de probabilidad, la tasa de clics de la mejor variante difiere de la segunda en entre ${low} y ${high} puntos porcentuales.`,
    marks: { winner: 'Ganadora', sent: 'Enviada a los demás' },
    noWinner: 'Ninguna variante ganó',
    hasWon: (number: number): string => `Ganó la variante ${number}`,
    reasons: {
      decided: 'Es la mejor con al menos un 95 % de probabilidad.',
      'too-few': 'Una variante tuvo menos de 100 mensajes aceptados: muy pocos para decidir.',
      'too-close':
        'Las tasas de clics están demasiado cerca: ninguna es la mejor con un 95 % de probabilidad.',
      'clicks-unknown': 'No se pudieron contar los clics durante una hora.',
      'by-hand': 'Se eligió a mano.',
    },
    fallbackSent: (number: number): string => `Los demás lectores recibieron la variante ${number}.`,
    decidedAt: (time: string): string => `Decidido el ${time}.`,
    choose: 'Elegir como ganadora',
    chooseVariant: (number: number): string => `Elegir como ganadora: variante ${number}`,
    chooseTitle: (number: number): string => `¿Enviar la variante ${number} a todos los demás?`,
    chooseAbout: (title: string): string =>
      `«${title}» llega a todos los lectores de la audiencia que no recibieron ninguna variante. No se puede deshacer.`,
    chooseAct: 'Enviar la ganadora',
    decided: 'La ganadora está en camino.',
    change: 'Cambiar',
    changeThis: 'Cambiar esta campaña',
    duplicateThis: 'Duplicar esta campaña',
    cancel: 'Cancelar',
    cancelThis: 'Cancelar esta campaña',
    cancelTitle: '¿Cancelar esta campaña?',
    cancelWaiting: 'No se enviará nada de ella.',
    cancelRunning:
      'Ya no crea ningún envío, y los que están en curso se detienen. Los mensajes que llegaron a un servicio push no se pueden retirar.',
    cancelAct: 'Cancelar la campaña',
    cancelKeep: 'Conservar la campaña',
    cancelled: 'La campaña se ha cancelado.',
    part: 'Parte',
    roleWinner: 'Ganadora',
    noDeliveries: 'Aún no se ha creado nada.',
    pastFirings: 'Enviado hasta ahora',
    firingsToCome: 'Próximos envíos',
    zonesToCome: 'Próximas zonas horarias',
    toComeAbout: 'En su zona horaria, con los lectores que hay ahora.',
    step: (time: string, readers: string): string => `${time}: ${readers}`,
    stepOfZones: (time: string, readers: string, zones: string): string => `${time}: ${readers} en ${zones}`,
    moreZones: (zones: string, left: number): string =>
      `${zones} y ${left} ${left === 1 ? 'zona horaria más' : 'zonas horarias más'}`,
    moreSteps: (left: number): string => `Y ${left} más.`,
    onceDecided: 'Cuando usted decida',
  },
};
