import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

/** An app's settings, its creation and its end. */
export const appForm: TextsOf<'appForm' | 'newApp' | 'deleteApp' | 'leave'> = {
  appForm: {
    site: 'Su sitio',
    name: 'Nombre',
    nameMissing: 'Escriba un nombre.',
    siteDomain: 'Dirección del sitio',
    siteHint:
      'El origen, sin ruta: https://news.example. Solo las páginas de este origen pueden suscribir lectores.',
    timeZone: 'Zona horaria',
    timeZoneHint: 'Se aplica a los lectores cuya zona horaria no se conoce.',
    siteMissing: 'Indique la dirección de su sitio.',
    notifications: 'Notificaciones',
    notificationsHint: 'Valores predeterminados de las notificaciones.',
    ttl: 'Conservación para lectores sin conexión',
    ttlHint: 'Una notificación más antigua no se muestra. 28 días como máximo.',
    ttlUnit: 'Unidad',
    ttlUnitHint: '0 significa: ahora o nunca.',
    units: { seconds: 'segundos', minutes: 'minutos', hours: 'horas', days: 'días' },
    requireInteraction: 'Permanece hasta que se pulse o se cierre',
    requireInteractionHint:
      'En Chrome y Edge en un ordenador. Los demás navegadores la ocultan al cabo de un rato.',
    silent: 'Silenciosa',
    silentHint: 'Sin sonido ni vibración.',
    fallback: 'Texto de último recurso',
    fallbackHint:
      'Aparece bajo el nombre de su sitio si un navegador no puede leer un mensaje. Algo tiene que mostrar: si no, los navegadores dan de baja a los lectores.',
    fallbackExample: 'Hay novedades para usted.',
    vibrate: 'Patrón de vibración',
    vibrateHint:
      'En Android, en milisegundos: vibración, pausa, vibración… 10 números como máximo. Si se deja vacío, el del móvil.',
    vibrateWrong: 'Escriba números enteros separados por comas, como 200, 100, 200.',
    cap: 'Límite de frecuencia',
    capHint:
      'Ningún lector recibe más, contando todas las notificaciones. Una notificación concreta puede ignorarlo.',
    capped: 'Limitar cuántas notificaciones recibe un lector',
    capMost: 'Máximo de notificaciones',
    capWindow: 'En un plazo de',
    windows: { 60: '1 hora', 360: '6 horas', 720: '12 horas', 1440: '1 día', 10080: '7 días' },
    preferences: 'Botón de ajustes',
    preferencesHint:
      'Las notificaciones con sitio para un botón más reciben uno que lleva a los ajustes del lector: temas, menos, pausa, horas de silencio, cancelar.',
    preferencesOn: 'Añadir un botón a los ajustes del lector',
    guard: 'Límite de Chrome',
    guardHint:
      'Chrome retira el permiso a un sitio que el lector nunca visita y que muestra 28 notificaciones por semana en Android, 42 en otros dispositivos. Quien se acerca tanto espera hasta su próxima visita o clic, también con notificaciones que ignoran el límite de frecuencia.',
    guardOn: 'Retener notificaciones de lectores cerca del límite',
    guardAndroid: 'En 7 días como máximo, en Android',
    guardDesktop: 'En otros dispositivos',
    guardDays: 'Visita o clic en estos días: sin límite',
    quiet: 'Horas de silencio',
    quietHint:
      'Las notificaciones esperan mientras los lectores duermen. Las de última hora se envían igualmente, y el registro indica quién las envió.',
    quietOn: 'Hacer esperar las notificaciones de noche',
    quietFrom: 'Desde',
    quietTo: 'Hasta',
    quietZone: 'Según la hora',
    quietZones: { reader: 'del lector', app: 'del sitio' },
    quietSame: 'El final no puede ser el principio.',
    params: 'Parámetros de consulta',
    paramsHint:
      'Se añaden al enlace de cada notificación para que sus propias estadísticas muestren de dónde vienen los lectores.',
    paramKey: (number: number): string => `Nombre del parámetro ${number}`,
    paramValue: (number: number): string => `Valor del parámetro ${number}`,
    paramRemove: (number: number): string => `Quitar el parámetro ${number}`,
    paramAdd: 'Añadir un parámetro',
    cleaning: 'Lectores dados de baja',
    cleaningHint:
      'Los datos de los lectores dados de baja se pueden eliminar al cabo de un tiempo. Las estadísticas conservan sus totales.',
    autoDelete: 'Eliminar automáticamente a los lectores dados de baja',
    autoDeleteDays: 'Días de espera',
    saved: 'Los ajustes se han guardado.',
  },
  newApp: {
    title: 'Nuevo sitio',
    hint: 'Cada sitio tiene sus propios suscriptores y ajustes.',
    welcome: (name: string): string => `Le damos la bienvenida, ${name}`,
    welcomeHint:
      'Tres pasos hasta su primera notificación: dé un nombre a su sitio, inserte en él dos fragmentos de código y envíe.',
    site: '¿Qué sitio es?',
    nameHint: 'Para usted y su equipo. Los lectores no lo ven.',
    submit: 'Crear sitio',
    done: (name: string): string => `Se ha creado ${name}.`,
  },
  deleteApp: {
    title: 'Eliminar este sitio',
    hint: 'Sus suscriptores, notificaciones y estadísticas se eliminan de forma permanente.',
    adminsOnly: 'Solo los administradores eliminan sitios. Pídaselo a uno de su organización.',
    open: 'Eliminar este sitio…',
    question: (name: string): string => `¿Eliminar ${name}?`,
    consequence: (subscribers: string): string =>
      `Se eliminan de forma permanente ${subscribers} ${plural(subscribers, 'suscriptor', 'suscriptores')}, todas las notificaciones y todas las estadísticas. Los envíos en curso se detienen. Los lectores tendrán que volver a suscribirse en una app nueva.`,
    type: (name: string): string => `Escriba «${name}» para continuar`,
    act: 'Eliminar para siempre',
    done: (name: string): string => `Se ha eliminado ${name}.`,
  },
  leave: {
    title: '¿Salir sin guardar?',
    text: 'Los cambios de esta página no se han guardado.',
    act: 'Salir sin guardar',
  },
};
