import type { TextsOf } from '../texts.ts';

const count = (most: number, one: string, many: string): string => (most === 1 ? one : many);

/** The texts of the frame, and common words. */
export const shell: TextsOf<
  'product' | 'titleOf' | 'skip' | 'roles' | 'nav' | 'actions' | 'pending' | 'problems' | 'never' | 'none'
> = {
  product: 'Broadside',
  titleOf: (page: string): string => `${page} · Broadside`,
  skip: 'Saltar al contenido',
  roles: {
    names: {
      reader: 'Lector',
      author: 'Autor',
      approver: 'Aprobador',
      member: 'Miembro',
      admin: 'Administrador',
    },
    notes: {
      reader: 'Usted es lector de este sitio: lo ve todo y no cambia nada.',
      author: 'Usted es autor en este sitio: lo que escribe debe aprobarse.',
      approver:
        'Usted es aprobador en este sitio: su configuración corresponde a miembros y administradores.',
    },
    needs: (role: string): string =>
      `Hace falta el rol ${role} en este sitio: pídalo a un administrador de su organización.`,
  },
  nav: {
    label: 'Principal',
    language: 'Idioma',
    send: 'Enviar',
    readers: 'Lectores',
    results: 'Resultados',
    setUp: 'Configuración del sitio',
    organization: 'Organización',
    open: 'Abrir el menú',
    close: 'Cerrar el menú',
    overview: 'Resumen',
    compose: 'Redactar',
    drafts: 'Borradores',
    deliveries: 'Envíos',
    campaigns: 'Campañas',
    subscribers: 'Suscriptores',
    segments: 'Segmentos',
    categories: 'Categorías',
    analytics: 'Analítica',
    standing: 'Entregabilidad',
    reports: 'Informes',
    welcome: 'Bienvenida',
    prompts: 'Solicitudes de suscripción',
    integration: 'Integración',
    appSettings: 'Ajustes del sitio',
    keys: 'Claves VAPID',
    apps: 'Todos los sitios',
    allApps: 'Todos los sitios',
    newApp: 'Nuevo sitio',
    settings: 'Ajustes',
    tokens: 'Tokens de API',
    team: 'Equipo',
    auditLog: 'Registro de auditoría',
    alerts: 'Alertas',
    webhooks: 'Webhooks',
    organizations: 'Organizaciones',
    account: 'Su cuenta',
    switchApp: 'Cambiar de sitio',
    chooseApp: 'Elegir un sitio',
    breadcrumbs: 'Ruta de navegación',
    user: 'Su menú',
  },
  actions: {
    save: 'Guardar',
    cancel: 'Cancelar',
    delete: 'Eliminar',
    edit: 'Editar',
    close: 'Cerrar',
    create: 'Crear',
    retry: 'Reintentar',
    copy: 'Copiar',
    copied: 'Copiado',
    logOut: 'Cerrar sesión',
    back: 'Atrás',
    add: 'Añadir',
    remove: 'Quitar',
    actionsOf: (name: string): string => `Acciones de ${name}`,
  },
  pending: 'Cargando…',
  problems: {
    title: 'Algo ha ido mal',
    loading: 'Error al cargar',
    unexpected:
      'Esta página tiene un error. Vuelva a cargarla. Si se repite, póngase en contacto con su administrador de Broadside.',
    offline: 'No tiene conexión. Inténtelo de nuevo cuando la recupere.',
    offlineTitle: 'No tiene conexión',
    offlineAbout:
      'No se envía nada hasta que recupere la conexión. Lo que escriba se conserva en esta pestaña y las cifras pueden no estar al día.',
    pageMissing: 'No se ha podido cargar esta página. Compruebe su conexión e inténtelo de nuevo.',
    late: 'Broadside tarda demasiado en responder. Inténtelo de nuevo.',
    notFoundTitle: 'Página no encontrada',
    notFound: 'Puede que se haya eliminado o que la dirección no sea correcta.',
    toStart: 'Ir a la página de inicio',
    waiting: (seconds: number): string =>
      `Broadside está ocupado. Nuevo intento en ${seconds} ${count(seconds, 'segundo', 'segundos')}…`,
    ofStatus: (status: number): string =>
      statuses[status] ?? (status >= 500 ? broken : 'La solicitud ha fallado.'),
  },
  never: 'nunca',
  none: 'ninguno',
};

const broken =
  'Broadside no ha podido completar la operación por un error interno. Inténtelo de nuevo. Si se repite, póngase en contacto con su administrador de Broadside.';

const statuses: Readonly<Record<number, string>> = {
  0: 'Broadside no responde. Compruebe su conexión e inténtelo de nuevo.',
  400: 'Broadside no ha entendido la solicitud. Vuelva a cargar la página e inténtelo de nuevo.',
  401: 'Su sesión ha caducado.',
  403: 'Su rol no lo permite. Consulte a un administrador de su organización.',
  404: 'Ya no existe. Es posible que alguien lo haya eliminado.',
  409: 'Otra persona lo ha modificado entretanto. Vuelva a cargar la página e inténtelo de nuevo.',
  413: 'La solicitud es demasiado grande.',
  422: 'Revise el formulario: algunos campos no son válidos.',
  429: 'Demasiadas solicitudes. Espere un minuto e inténtelo de nuevo.',
  503: 'Broadside está ocupado o arrancando. Inténtelo de nuevo en un momento.',
};
