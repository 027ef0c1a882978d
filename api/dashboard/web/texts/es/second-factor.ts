import type { TextsOf } from '../texts.ts';

/** The second factor of a log-in. */
export const secondFactor: TextsOf<'secondFactor'> = {
  secondFactor: {
    title: 'Segundo factor',
    description:
      'Un código de una aplicación de su teléfono, que se pide al iniciar sesión después de la contraseña.',
    required: 'Su organización exige un segundo factor. Configure uno para continuar.',
    on: 'Activado',
    left: (count: number): string => `Códigos de recuperación restantes: ${count}.`,
    renew: 'Nuevos códigos de recuperación',
    renewText: 'Escriba su contraseña. Los códigos de recuperación anteriores dejan de valer.',
    remove: 'Quitar el segundo factor',
    removeText: 'Escriba su contraseña. Después bastará la contraseña para iniciar sesión.',
    removed: 'Su segundo factor se ha quitado.',
    setUp: 'Configurar un segundo factor',
    addApp: 'Añadir una aplicación de autenticación',
    setUpText: 'Necesita una aplicación de autenticación. Escriba primero su contraseña.',
    next: 'Siguiente',
    keyText:
      'Añada una cuenta a su aplicación de autenticación con esta clave (basada en el tiempo, 6 cifras) y escriba el código que muestra.',
    key: 'La clave',
    openApp: 'Abrirla en una aplicación de este dispositivo',
    confirm: 'Confirmar',
    code: 'Código',
    codeMissing: 'Escriba un código.',
    ask: 'Escriba el código de su aplicación de autenticación, o un código de recuperación.',
    go: 'Continuar',
    codesTitle: 'Sus códigos de recuperación',
    codes: 'Códigos de recuperación',
    codesOnce: 'Cópielos ahora y guárdelos bien: no se vuelven a mostrar.',
    codesUse: 'Cada uno sirve una vez, en lugar de un código, si pierde el teléfono.',
    codesKept: 'Los he copiado',
    ruleTitle: 'Segundo factor para todos',
    ruleText: 'Quien no lo tiene solo puede configurarlo. Los tokens de API no se ven afectados.',
    rule: 'Exigir un segundo factor',
    ruleSaved: 'La regla se ha guardado.',
    reset: 'Restablecer factor',
    resetTitle: (name: string): string => `Restablecer factor: ${name}`,
    resetQuestion: (name: string): string => `¿Restablecer el segundo factor de ${name}?`,
    resetText:
      'Para quien perdió el teléfono y los códigos de recuperación. Asegúrese de que es esa persona quien lo pide.',
    resetAct: 'Restablecer segundo factor',
    resetDone: (name: string): string => `${name} ya no tiene segundo factor.`,
  },
};
