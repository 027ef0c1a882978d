import type { TextsOf } from '../texts.ts';

/** Llaves de acceso: un segundo factor, o un inicio de sesión propio. */
export const passkeys: TextsOf<'passkeys'> = {
  passkeys: {
    title: 'Llaves de acceso',
    description:
      'Una huella, una cara, un PIN o una llave de seguridad: se piden tras la contraseña en lugar de un código, y sirven para entrar sin contraseña.',
    name: 'Nombre',
    nameHint: 'Para reconocerla, por ejemplo Teléfono.',
    nameMissing: 'Introduzca un nombre.',
    since: 'Añadida',
    used: 'Último uso',
    never: 'Nunca',
    stopped: 'Bloqueada',
    stoppedText: 'Una llave bloqueada contó hacia atrás: puede haber una copia. Quítela y añada una nueva.',
    unsupported: 'Este navegador no tiene llaves de acceso aquí: necesitan https y un nombre de host.',
    add: 'Añadir una llave de acceso',
    added: 'La llave de acceso se ha añadido.',
    next: 'Siguiente',
    rename: 'Cambiar nombre',
    renameTitle: (name) => `Cambiar el nombre de la llave: ${name}`,
    remove: 'Quitar',
    removeTitle: (name) => `Quitar la llave de acceso: ${name}`,
    removeText: 'Desde entonces no deja entrar a nadie. Sin segundo factor, basta la contraseña.',
    removed: 'La llave de acceso se ha quitado.',
    logIn: 'Entrar con una llave de acceso',
    use: 'Usar una llave de acceso',
    cancelled: 'El navegador no dio ninguna llave de acceso. Inténtelo de nuevo.',
    none: 'No tiene ninguna llave de acceso aquí. Introduzca un código.',
    wrong:
      'Esta llave de acceso no se conoce aquí o no era correcta. Inténtelo de nuevo o entre de otra forma.',
  },
};
