import { locale } from '../language.ts';
import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

const places = {
  above: 'Por encima de lo habitual',
  below: 'Por debajo de lo habitual',
  within: 'Lo habitual',
} as const;

/** One app at a glance, how it is put into a site, and its keys. */
export const overview: TextsOf<'overview' | 'checks' | 'integration' | 'keys'> = {
  overview: {
    lines: {
      variant: (number: string): string => `Variante ${number}`,
      winner: 'Ganadora',
      before: 'Antes: corregida',
      after: 'Después: corrección',
      test: (count: number): string => `Prueba A/B, envíos: ${count}`,
    },
    compose: 'Nueva notificación',
    readers: 'Lectores',
    active: 'Lectores',
    activeHint: 'Suscritos ahora',
    reachable: 'Localizables',
    reachableHint: (share: string): string => `${share} de ellos se han visto en los últimos 30 días`,
    joined: 'Nuevos',
    week: 'En los últimos 7 días',
    left: 'Bajas',
    leftHint: 'Dados de baja, últimos 7 días',
    net: 'Saldo',
    netHint: 'Nuevos menos bajas',
    last: 'Últimas notificaciones',
    lastAbout: 'Cada una junto a la tasa de clics habitual a su hora, en días laborables o en fin de semana.',
    lastNone: 'Aún no se ha enviado nada.',
    allDeliveries: 'Todos los envíos',
    young: 'Siguen llegando clics',
    typical: (from: string, to: string, place: 'above' | 'below' | 'within' | null): string =>
      `${place === null ? '' : `${places[place]}: `}${from} – ${to}`,
    scheduled: 'Programados',
    scheduledNone: 'No hay nada programado.',
    needs: {
      handed: 'se le ha entregado.',
      title: 'Requiere atención',
      failed: 'ha fallado: no ha llegado a ningún lector.',
      troubled: 'ha fallado para muchos lectores.',
      stuck: 'lleva más de media hora enviándose.',
      decide: 'espera a que usted elija la ganadora.',
      unreadable: 'no se puede leer: no se envía nada nuevo de él.',
      drafts: (count: number): string =>
        plural(
          count,
          'tiene un borrador que espera su decisión.',
          `tiene ${count} borradores que esperan su decisión.`,
        ),
      service: (service: string, count: string): string =>
        `${service} ha rechazado ${count} ${plural(count, 'mensaje', 'mensajes')} en los últimos dos días.`,
      throttled: (service: string, times: number, shown: string): string =>
        `${service} ha limitado este sitio ${plural(times, 'una vez', `${shown} veces`)} hoy o ayer (UTC): enviaba más rápido de lo que ${service} acepta.`,
    },
  },
  checks: {
    title: 'Puesta en marcha',
    hint: 'Los pasos que faltan para que las notificaciones lleguen a sus lectores.',
    states: {
      done: 'hecho',
      next: 'siguiente paso',
      waits: 'más adelante',
      wrong: 'requiere atención',
      advice: 'recomendado',
    },
    key: {
      done: 'El sitio tiene su clave VAPID',
      open: 'El sitio no tiene clave VAPID',
      hint: (): string => 'Identifica al sitio ante los servicios push. Inicie una rotación para crear una.',
      act: (): string => 'Ir a las claves',
    },
    https: {
      done: 'La dirección del sitio empieza por https',
      open: 'El sitio no se sirve por https',
      hint: (): string =>
        'Los navegadores solo permiten notificaciones en páginas seguras. Sirva el sitio por https y cambie aquí su dirección.',
      act: (): string => 'Ir a los ajustes',
    },
    subscribed: {
      done: 'Un lector se ha suscrito en su sitio: el fragmento de código funciona',
      open: 'Inserte el fragmento de código en su sitio y suscríbase',
      hint: (readers: number): string =>
        readers === 0
          ? 'Aún no se ha suscrito nadie. El primer suscriptor aparecerá aquí automáticamente.'
          : 'Sus suscriptores se importaron y ninguno de sus navegadores ha pasado por su sitio desde entonces. El primero aparecerá aquí automáticamente.',
      hintHere:
        'Pruébelo primero sin sitio: active las notificaciones en la página de ejemplo de este Broadside. El primer suscriptor aparecerá aquí automáticamente.',
      act: (): string => 'Ver el fragmento',
    },
    sent: {
      done: 'Se ha enviado una notificación',
      open: 'Envíe la primera notificación',
      hint: (readers: number): string =>
        readers <= 1
          ? 'Pruébela con usted: por ahora no hay más lectores.'
          : 'Llega a todos ellos. Para una prueba, elija un segmento propio o haga un ensayo: un ensayo no llega a nadie.',
      act: (readers: number): string =>
        readers <= 1 ? 'Redactarla' : `Escribir a ${readers.toLocaleString(locale)} lectores`,
    },
    icon: {
      done: 'Las notificaciones llevan su icono',
      open: 'Las notificaciones aún no tienen icono',
      hint: (): string => 'Es lo primero que ven los lectores. Sin él, Chrome en Android dibuja una letra.',
      act: (): string => 'Elegir un icono',
    },
    iphone: {
      done: 'Los lectores con iPhone pueden suscribirse',
      open: 'Los lectores con iPhone aún no pueden suscribirse',
      unknown: 'No se sabe si los lectores con iPhone pueden suscribirse',
      unknownHint: 'No se pudo leer su portada desde Internet, así que no se pudo comprobar.',
      hint: (): string =>
        'A su sitio le falta algo que exigen los iPhone y iPad. A los demás lectores no les afecta.',
      act: (): string => 'Ver qué falta',
    },
  },
  integration: {
    title: 'Integración',
    description: (site: string): string =>
      `Con dos fragmentos de código, ${site} ya puede enviar notificaciones. Cópielos tal cual.`,
    descriptionHere: (site: string): string =>
      `Con dos fragmentos de código, ${site} ya puede enviar notificaciones. Nombran este equipo, al que los lectores no llegan: para probar aquí valen; para los lectores, defina PUBLIC_BASE_URL con la dirección de este Broadside, reinícielo y cópielos entonces.`,
    identifier: 'Identificador del sitio',
    worker: '1. Un archivo en su sitio',
    workerHint: (path: string): string =>
      `Los navegadores reciben las notificaciones a través de él. Guárdelo como ${path} en la raíz de su sitio.`,
    page: '2. Un fragmento en cada página',
    pageHint:
      'Antes de </body>. Muestra una campana en la esquina; al hacer clic en ella se pide el permiso.',
    test: '3. Pruébelo',
    testHint:
      'Abra su sitio, haga clic en la campana y permita las notificaciones. El resumen mostrará entonces su primer suscriptor y podrá enviarse una notificación.',
    toOverview: 'Ir al resumen',
    tryHere: 'Pruébelo primero en este navegador',
    tryHereHint:
      'La página de ejemplo de su propio Broadside: no hace falta ningún sitio. Active allí las notificaciones y después redacte una. Solo funciona mientras Broadside se ejecute en este equipo.',
    openExample: 'Abrir la página de ejemplo',
    more: 'Otras formas',
    existing: 'Su sitio ya tiene un service worker',
    existingHint:
      'Omita el archivo del paso 1. En su lugar, ponga esta línea al principio de su worker e indíquelo en init con workerUrl.',
    module: 'Sus páginas se construyen con módulos',
    moduleHint: 'Lo mismo como módulo ES, con tipos. Las etiquetas distribuyen a sus lectores en segmentos.',
    moving: {
      title: 'Viene de otro servicio',
      hint: 'Los lectores importados solo conocen la dirección antigua de su worker. Ponga allí este archivo e indíquelo en cada página.',
      service: 'Servicio',
      ownServer: 'Su propio servidor',
      beside: (path: string): string => `En la dirección antigua, mientras ambos servicios envían: ${path}`,
      worker: (path: string): string => `En la dirección antigua, cuando el otro ya no envía nada: ${path}`,
      page: 'En cada página, en lugar del paso 2',
      guide: 'Guía de la migración completa',
    },
    policy: 'Su sitio tiene una política de seguridad de contenido (CSP)',
    policyHint: 'Permita en ella la dirección de Broadside:',
    policyText: (origin: string): string => `script-src ${origin}; connect-src ${origin}; worker-src 'self'`,
    iphone: {
      title: 'iPhone y iPad',
      hint: 'En ellos, Safari solo muestra notificaciones de los sitios añadidos a la pantalla de inicio (desde iOS 16.4). Para eso su sitio necesita un manifiesto de aplicación web. Los lectores eligen Compartir, Añadir a pantalla de inicio con «Abrir como app web» activado, lo abren desde allí y hacen clic en la campana; hasta entonces, la campana se lo explica.',
      check: 'Comprobar su sitio',
      again: 'Comprobar de nuevo',
      ready: 'Su sitio está listo: los lectores pueden añadirlo a la pantalla de inicio y suscribirse.',
      missing: 'Los iPhone y iPad aún no reciben notificaciones. Falta lo siguiente:',
      unknown: 'No se pudo comprobar su sitio:',
      poor: 'Los iPhone y iPad reciben notificaciones. Se puede mejorar:',
      manifest: 'Manifiesto: ',
      findings: {
        page_unreachable:
          'No se ha podido leer la portada desde Internet en 5 segundos. ¿Es correcta la dirección en los ajustes, y es pública la página?',
        manifest_missing:
          'La portada no indica ningún manifiesto de aplicación web. Ponga esto en su head: <link rel="manifest" href="/manifest.json">',
        manifest_unreachable:
          'No se ha podido leer el manifiesto. Su dirección debe responder sin iniciar sesión, con 64 KB como máximo.',
        manifest_invalid: 'El manifiesto no es un objeto JSON.',
        display:
          'El manifiesto necesita "display": "standalone". Sin eso, el icono abre Safari, que allí no tiene notificaciones.',
        start_url:
          '"start_url" en el manifiesto debe ser una página de este sitio, dentro de su "scope". Si no, el icono abre otra.',
        name: 'El manifiesto necesita un "name": aparece bajo el icono y en cada notificación.',
        icon: 'La pantalla de inicio no mostraría su icono. Indique un PNG de al menos 180 × 180 píxeles en "icons" o como <link rel="apple-touch-icon">.',
      },
    },
    prompt: 'Solicitud de suscripción',
    promptHint:
      'prompt: { kind: "bell" } flota en una esquina, "bar" aparece en un borde al cabo de unos segundos y "element" utiliza un botón propio: { kind: "element", element: "#notify" }. Los textos y los colores se pueden configurar. Al navegador nunca se le pide permiso sin un clic.',
  },
  keys: {
    title: 'Claves VAPID',
    description:
      'La clave identifica a su sitio ante los servicios push y cada suscripción está vinculada a una clave. Cámbiela solo si la clave privada puede haberse filtrado.',
    adminsOnly: 'Solo los administradores pueden cambiarla.',
    list: 'Claves VAPID',
    id: 'Clave',
    state: 'Estado',
    subscriptions: 'Suscripciones',
    created: 'Creada',
    ended: 'Desactivada',
    copyPublic: 'Copiar clave pública',
    states: { active: 'Activa', retiring: 'En sustitución', ended: 'Desactivándose', retired: 'Desactivada' },
    rotate: 'Rotar clave',
    rotateQuestion: '¿Rotar la clave?',
    rotateText:
      'Una clave nueva pasa a ser la activa. Los lectores cambian a ella automáticamente cuando visitan su sitio; hasta entonces, se les sigue enviando con la antigua.',
    rotated: 'La clave nueva está activa. Los lectores cambian a ella cuando visitan su sitio.',
    progress: 'Rotación',
    progressText: (moved: string, all: string): string =>
      `${moved} de ${all} ${plural(all, 'suscripción usa', 'suscripciones usan')} la clave nueva.`,
    end: 'Desactivar clave antigua',
    endQuestion: '¿Desactivar la clave antigua?',
    endText: (left: string): string =>
      `${left} ${plural(left, 'suscripción sigue', 'suscripciones siguen')} con la clave antigua. Se darán de baja y estos lectores tendrán que suscribirse de nuevo cuando visiten su sitio. Esta acción no se puede deshacer.`,
    endAct: 'Desactivar clave antigua definitivamente',
    endDone: 'La clave antigua se está desactivando. Sus suscripciones se están dando de baja.',
  },
};
