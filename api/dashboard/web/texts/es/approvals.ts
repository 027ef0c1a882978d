import type { TextsOf } from '../texts.ts';

/** What waits for a second person. */
export const approvals: TextsOf<'approvals'> = {
  approvals: {
    setting: 'Aprobación',
    alone: 'Está solo en su equipo y nadie podría aprobar lo que escriba. Invite antes a alguien.',
    settingAbout:
      'Una segunda persona revisa lo que va a los lectores antes de enviarlo: notificaciones, correcciones y campañas, incluidas las de la API. Los artículos de los feeds esperan como borradores.',
    rule: 'Quién aprueba',
    rules: {
      none: 'Nadie: se envía sin aprobación',
      all: 'Siempre otra persona',
      all_but_breaking: 'Otra persona, salvo las noticias de última hora',
    },
    adminsOnly: 'Solo los administradores pueden cambiarlo.',
    waits: 'Pendiente de aprobación',
    back: 'Devuelta',
    writtenBy: (authors: string): string => `Escrita por ${authors}.`,
    yours: 'Otra persona de su equipo tiene que aprobarla. Hasta entonces no se envía nada.',
    nothingSent: 'No se envía nada hasta que usted u otra persona la apruebe.',
    approve: 'Aprobar',
    decline: 'Devolver',
    approved: 'Aprobada.',
    sentBack: 'Devuelta a su autor.',
    approvedBy: (who: string, when: string): string => `Aprobada por ${who}, ${when}.`,
    frozen: 'Llega a los lectores de su segmento tal como era entonces.',
    declined: (who: string): string => `Devuelta por ${who}`,
    declinedAbout: 'Cámbiela para pedir de nuevo la aprobación, o cancélela.',
    saying: (note: string): string => `«${note}»`,
    declineTitle: '¿Devolverla a su autor?',
    declineAbout: 'Espera hasta que alguien la cambie.',
    note: '¿Qué debe cambiar?',
    noTime: 'Vacío: en cuanto se apruebe.',
    before: 'Otra persona tiene que aprobarla antes de enviarla.',
    askTitle: '¿Pedir aprobación?',
    review: 'Pedir aprobación…',
    ask: 'Pedir aprobación',
    asked: 'Está pendiente de aprobación.',
    needs: 'está pendiente de aprobación.',
  },
};
