import { plural } from './plural.ts';

/** Checks of figures: two sources, unusual days, and how certain days are. */
export const reportChecks = {
  reportChecks: {
    title: 'Comprobaciones',
    description: 'Si se puede confiar en las cifras: qué difiere, qué es inusual y qué ha cambiado después.',
    views: { differences: 'Dos fuentes', unusual: 'Días inusuales', days: 'Días y correcciones' },
    run: 'Comprobar',
    gone: 'alguien que ya no está',
    differences: {
      about:
        'Lo que dos servidores de anuncios contaron los mismos días en los mismos sitios, primero la mayor diferencia en dinero.',
      first: 'Primera fuente',
      second: 'Segunda fuente',
      amount: (currency: string): string => `Difiere al menos en (${currency})`,
      percent: 'Y al menos en (%)',
      twoNeeded: 'Hacen falta dos fuentes',
      twoNeededAbout: (one: string | null): string =>
        one === null
          ? 'Su token no ve estadísticas de los últimos 92 días. Importe las de dos servidores de anuncios, cada una con su --source, o use un token que las vea.'
          : `De los últimos 92 días, su token solo ve estadísticas de ${one}. Importe las de otro servidor de anuncios con su propio --source, o use un token que las vea.`,
      title: (first: string, second: string): string => `${first} y ${second}`,
      counted: (found: string, compared: string): string =>
        `${found} de ${compared} ${plural(compared, 'día de sitios', 'días de sitios')} ${plural(found, 'difiere', 'difieren')} en esa medida.`,
      cut: (shown: string): string =>
        `Se muestran los ${shown} mayores. Para ver los demás: suba los dos límites, elija menos días o use broadside discrepancies --offset.`,
      more: (most: string): string => `Mostrar hasta ${most}`,
      order: (first: string, second: string): string =>
        `Arriba ${first}, abajo ${second}; los porcentajes son sobre la primera.`,
      none: 'Ningún día de un sitio difiere en esa medida. Baje los dos límites o elija otros días.',
      nothing: 'Ninguna de las dos fuentes tiene filas en estos días. Elija otros días.',
      missing: (source: string): string => `nada de ${source}`,
      difference: 'Diferencia',
      reason: 'Motivo',
      reasonMissing: 'Escriba por qué difieren.',
      note: 'Anotar un motivo',
      change: 'Cambiar',
      remove: 'Quitar',
      noteOf: (site: string, day: string): string => `Motivo de ${site}, ${day}`,
      removeOf: (site: string, day: string): string => `Quitar el motivo de ${site}, ${day}`,
      removeAbout: 'Desaparece para toda su organización.',
      removed: 'Se quitó el motivo.',
      noteAbout: 'Lo leen todas las personas de su organización que ven esta fila.',
    },
    unusual: {
      about:
        'Cada sitio, producto y país frente a los mismos días de la semana de las ocho semanas anteriores, primero la mayor diferencia en dinero; diez al día como máximo.',
      amount: (currency: string): string => `Difiere al menos en (${currency})`,
      counted: (shown: string, found: string): string =>
        shown === found
          ? `${found} ${plural(found, 'día inusual', 'días inusuales')}.`
          : `Se muestran ${shown} de ${found} días inusuales.`,
      muted: (count: string): string =>
        `${count} más ${plural(count, 'está silenciado', 'están silenciados')}.`,
      fresh: (count: string, money: string): string =>
        `No se dice nada de ${count} ${plural(count, 'serie', 'series')} con menos de cuatro de esos días antes (${money}).`,
      withoutRows: (days: string): string => `Sin ninguna fila: ${days}.`,
      none: 'Nada inusual',
      noneAbout:
        'Cada serie ingresó lo habitual en sus días de la semana. Baje el límite para ver diferencias menores.',
      nothing: 'No hay filas en estos días. Elija otros días o importe sus estadísticas.',
      less: (money: string): string => `${money} menos de lo habitual`,
      more: (money: string): string => `${money} más de lo habitual`,
      range: (low: string, high: string): string => `Lo habitual: de ${low} a ${high}.`,
      usual: 'Habitual',
      band: 'Banda de valores habituales',
      weekdays: 'Mismos días de la semana',
      from: 'De dónde viene',
      part: 'Parte',
      notStated: 'no indicado',
      mute: 'Silenciar',
      muteOf: (series: string): string => `Silenciar ${series}`,
      until: 'Hasta',
      untilMissing: 'Elija el último día.',
      muteAbout: 'Hasta ese día inclusive, sus días inusuales no se muestran a nadie de su organización.',
      mutedNow: (series: string): string => `${series} está silenciado.`,
      mutes: 'Silenciadas',
      mutesNone:
        'No hay nada silenciado. Si sabe por qué una serie es inusual, siléncielo hasta que termine.',
      series: 'Serie',
      mutedBy: 'Silenciada por',
      end: 'Mostrar de nuevo',
      endOf: (series: string): string => `Mostrar de nuevo ${series}`,
      endAbout: 'Sus días inusuales se muestran de nuevo a toda su organización.',
      ended: (series: string): string => `${series} se muestra de nuevo.`,
    },
    days: {
      about: 'Qué seguridad tienen los días de cada fuente y quién lo dijo.',
      title: 'Días de las fuentes',
      source: 'Fuente',
      days: 'Días',
      state: 'Estado',
      states: { open: 'Abierto: puede llegar más', complete: 'Completo', final: 'Definitivo' },
      by: 'Lo dijo',
      nobody: 'nadie',
      speakers: {
        import: 'una importación',
        person: 'una persona',
        rule: 'una regla de la fuente',
        time: 'la hora hasta la que está completa',
      },
      left: (count: number): string => `No se muestran ${count} más: elija menos días.`,
      none: 'Su token no ve ninguna fuente en estos días. Elija otros días o importe sus estadísticas.',
      changes: 'Correcciones',
      changesAbout:
        'Días que una fuente reemplazó y días definitivos a los que añadió algo: qué cambió en las filas que ve su token.',
      changesNone: 'No se ha corregido ningún día que vea su token.',
      change: 'Cambio',
      changed: { replaced: 'Reemplazado', added: 'Ampliado' },
      wasFinal: 'era definitivo',
      before: 'Antes',
      after: 'Después',
      impressions: (count: string): string => `${count} ${plural(count, 'impresión', 'impresiones')}`,
      more: 'Mostrar anteriores',
    },
  },
} as const;
