import type { TextsOf } from '../texts.ts';

/** Log-in with an OpenID provider, and its settings. */
export const provider: TextsOf<'provider'> = {
  provider: {
    with: (name, organization) =>
      organization === null
        ? `Iniciar sesión con ${name}`
        : `Iniciar sesión con ${name}, el proveedor de ${organization}`,
    or: 'o',
    away: 'El proveedor no responde. Inicie sesión con su contraseña o inténtelo más tarde. Si continúa, pregunte a un administrador: la página del equipo puede probar el proveedor.',
    problems: {
      over: 'El inicio de sesión tardó demasiado o se completó en otro lugar. Empiece de nuevo.',
      away: 'El proveedor no responde. Inicie sesión con su contraseña o inténtelo más tarde. Si continúa, pregunte a un administrador: la página del equipo puede probar el proveedor.',
      refused: 'El proveedor rechazó el inicio de sesión. Empiece de nuevo o pida acceso allí.',
      wrong:
        'La respuesta del proveedor no corresponde a este inicio de sesión y no se aceptó. Empiece de nuevo. Si continúa, pida a un administrador que pruebe el proveedor en la página del equipo.',
      'no-email': 'El proveedor no indica su correo electrónico. Pida que lo comparta con este sitio.',
      unverified: 'El proveedor no dice que su correo electrónico esté verificado. Verifíquelo allí.',
      unknown:
        'No tiene aquí una cuenta que este proveedor pueda abrir. Pida una invitación a un administrador de su organización.',
      'no-group':
        'No está en ningún grupo que pueda iniciar sesión. Pregunte a quienes gestionan el proveedor.',
      linked:
        'La cuenta de su correo electrónico pertenece a otra persona del proveedor. Pida al operador que la desvincule.',
    },
    title: 'Inicio de sesión con OpenID Connect',
    text: 'Los miembros inician sesión con su propio proveedor. Solo abre cuentas de esta organización; las contraseñas siguen valiendo, y un segundo factor configurado aquí se pide aquí.',
    off: 'No hay ningún proveedor configurado.',
    setUp: 'Configurar un proveedor',
    change: 'Cambiar',
    remove: 'Quitar el proveedor',
    removeText:
      'Termina las sesiones que inició el proveedor. Los usuarios se quedan; sin contraseña necesitan un enlace para elegir una.',
    removed: 'El proveedor se ha quitado.',
    saved: 'El proveedor se ha guardado.',
    register: 'Regístrelo en el proveedor, para el flujo «authorization code»:',
    redirectUri: 'URI de redirección',
    logOutUri: 'URI de redirección tras cerrar la sesión',
    logInUrl: 'Su dirección de inicio de sesión',
    name: 'Nombre para el botón',
    issuer: 'Issuer',
    issuerHint: 'Una URL, como en la documentación del proveedor.',
    clientId: 'ID de cliente',
    clientSecret: 'Secreto del cliente',
    secretHint: 'No se vuelve a mostrar. Si queda vacío, no cambia.',
    enabled: 'Permitir el inicio de sesión con este proveedor',
    enabledHint: 'Desactivado, terminan las sesiones que inició.',
    makesUsers: 'Crear un usuario en el primer inicio de sesión',
    makesUsersHint: 'Solo de los dominios de correo que indicó el operador.',
    groupsClaim: 'Claim de los grupos',
    adminGroups: 'Grupos de administradores',
    memberGroups: 'Grupos de miembros',
    groupsHint: 'Uno por línea. Sin grupos, los roles no cambian.',
    domains: 'Dominios de correo',
    domainsHint:
      'Uno por línea. Solo los operadores los cambian: las personas con una dirección en ellos se envían a este proveedor.',
    missing: 'Introduzca un valor.',
    isOn: 'Activado',
    isOff: 'Desactivado',
    try: 'Probar',
    tried: 'Todo funciona: se puede iniciar sesión.',
    faults: {
      unreachable:
        'No se puede llegar al issuer. Compruebe su URL; en una red privada o sin TLS, el operador debe nombrarlo en OIDC_PRIVATE_HOSTS.',
      'no-discovery': 'El issuer no tiene documento de descubrimiento. Su URL termina antes de /.well-known.',
      'other-issuer':
        'El documento de descubrimiento es de otro issuer. Introduzca el issuer exactamente como figura; el de un solo inquilino, no uno común.',
      'no-endpoints':
        'El documento de descubrimiento no nombra páginas de inicio de sesión, o ninguna clave.',
      'no-pkce': 'El proveedor no dice que admita PKCE con S256. Permítalo allí para este cliente.',
      'no-keys': 'Las claves del proveedor no se pueden leer.',
      'wrong-client':
        'El proveedor rechaza el ID de cliente o el secreto. Introduzca ambos de nuevo; quizá el secreto haya caducado.',
      'redirect-uri': 'El proveedor rechaza la URI de redirección. Regístrela exactamente como se muestra.',
    },
  },
};
