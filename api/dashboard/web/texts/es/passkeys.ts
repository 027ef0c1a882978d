import type { TextsOf } from '../texts.ts';

/** Passkeys: a second factor, or a log-in of their own. */
export const passkeys: TextsOf<'passkeys'> = {
  passkeys: {
    title: 'Llaves de acceso',
    description:
      'Una huella, una cara, un PIN o una llave de seguridad: se piden tras la contraseña en lugar de un código, y sirven para iniciar sesión sin contraseña.',
    name: 'Nombre',
    nameHint: 'Para reconocerla, por ejemplo Teléfono.',
    nameMissing: 'Introduzca un nombre.',
    since: 'Añadida',
    used: 'Último uso',
    never: 'Nunca',
    stopped: 'Bloqueada',
    stoppedText:
      'El contador de una llave bloqueada retrocedió: puede haber una copia. Quítela y añada una nueva.',
    unsupported: 'Las llaves de acceso no funcionan aquí: necesitan https y un nombre de host.',
    add: 'Añadir una llave de acceso',
    added: 'La llave de acceso se ha añadido.',
    next: 'Siguiente',
    rename: 'Cambiar nombre',
    renameTitle: (name) => `Cambiar el nombre de la llave: ${name}`,
    remove: 'Quitar',
    removeTitle: (name) => `Quitar la llave de acceso: ${name}`,
    removeText: 'Nadie podrá iniciar sesión con ella. Sin segundo factor, basta la contraseña.',
    removed: 'La llave de acceso se ha quitado.',
    logIn: 'Iniciar sesión con una llave de acceso',
    use: 'Usar una llave de acceso',
    cancelled: 'El navegador no ha proporcionado ninguna llave de acceso. Inténtelo de nuevo.',
    none: 'No tiene ninguna llave de acceso aquí. Introduzca un código.',
    wrong:
      'Esta llave de acceso es desconocida o no es válida. Inténtelo de nuevo o inicie sesión de otra forma.',
  },
};
