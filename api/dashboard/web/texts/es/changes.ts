import type { TextsOf } from '../texts.ts';

/** A notification that waits for its time, and is changed until then. */
export const changes: TextsOf<'change'> = {
  change: {
    change: 'Cambiar',
    changeThis: 'Cambiar esta notificación',
    title: 'Cambiar la notificación',
    act: 'Guardar',
    done: 'El cambio se ha guardado.',
    future: 'Elija una hora futura.',
    now: 'Enviar ahora',
    nowTitle: '¿Enviar ahora?',
    nowAbout: 'Se envía ahora en lugar de a su hora. La audiencia se fija cuando empieza.',
    sentNow: 'Se está enviando.',
    versions: 'Versiones anteriores',
    versionsAbout: 'Lo que decía antes de los cambios.',
    replaced: (time: string, who: string): string => `Hasta ${time}, cambiada por ${who}`,
    wasFor: (time: string): string => `Para ${time}`,
  },
};
