import type { TextsOf } from '../texts.ts';

/** Logging in and out. */
export const session: TextsOf<'logIn' | 'loggedOut'> = {
  logIn: {
    title: 'Iniciar sesión',
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    ended: 'Su sesión ha terminado. Inicie sesión para continuar donde estaba.',
    forgot: '¿Olvidó su contraseña?',
    invited:
      '¿Ha recibido una invitación? Abra el enlace para elegir una contraseña. ¿No tiene enlace? Pídaselo a un administrador de su organización.',
    tooMany: 'Demasiados intentos fallidos. Espere 15 minutos y vuelva a intentarlo.',
  },
  loggedOut: 'Ha cerrado la sesión.',
};
