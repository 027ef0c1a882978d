import type { TextsOf } from '../texts.ts';

/** What a team writes before it sends. */
export const drafts: TextsOf<'drafts'> = {
  drafts: {
    description: 'Lo que su equipo está escribiendo, y las plantillas con las que empieza.',
    drafts: 'Borradores',
    templates: 'Plantillas',
    templatesAbout: 'Una plantilla rellena la página de redacción y se queda como está.',
    write: 'Redactar',
    name: 'Nombre',
    by: 'Guardado por',
    at: 'Guardado',
    emptyTitle: { draft: 'Sin borradores', template: 'Sin plantillas' },
    empty: {
      draft: 'Guarde lo que escribe como borrador y su equipo podrá continuarlo.',
      template: 'Guarde como plantilla lo que envía una y otra vez.',
    },
    deleteNamed: (name: string): string => `Eliminar ${name}`,
    question: (name: string): string => `¿Eliminar ${name}?`,
    deleted: (name: string): string => `Se ha eliminado ${name}.`,
    fromTemplate: (name: string): string => `Empezado con la plantilla ${name}.`,
    isDraft: (name: string): string => `Un borrador del equipo: ${name}.`,
    consequence: 'Nadie podrá seguir escribiendo en él. Lo enviado se conserva.',
    deleteAct: 'Eliminar',
    saveDraft: 'Guardar como borrador',
    saveTemplate: 'Guardar como plantilla',
    unnamed: 'Sin título',
    savedAlways: 'Se guarda mientras escribe',
    saving: 'Guardando…',
    failed: 'No se ha guardado. Se intentará de nuevo con su próximo cambio.',
    notSaved: 'No se ha guardado: alguien lo ha cambiado.',
    conflictAbout: 'Lo que ha escrito desde entonces no está guardado.',
    takeTheirs: 'Conservar la otra versión',
    keepMine: 'Conservar la mía como otro borrador',
    kept: {
      draft: (name: string): string => `Guardado para el equipo: ${name}`,
      template: (name: string): string => `Se ha guardado la plantilla ${name}.`,
    },
    saved: (time: string): string => `Guardado a las ${time}`,
    conflict: (who: string): string => `${who} ha cambiado este borrador`,
  },
};
