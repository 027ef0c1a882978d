import type { TextsOf } from '../texts.ts';

/** What a team writes before it sends. */
export const drafts: TextsOf<'drafts'> = {
  drafts: {
    description: 'Lo que el equipo ha empezado a escribir, y con qué empieza.',
    drafts: 'Borradores',
    templates: 'Plantillas',
    templatesAbout: 'Una plantilla rellena la página de redacción y se queda como está.',
    write: 'Redactar',
    name: 'Nombre',
    by: 'Guardado por',
    at: 'Guardado',
    emptyTitle: { draft: 'Sin borradores', template: 'Sin plantillas' },
    empty: {
      draft: 'Guarda lo que escribes como borrador y el equipo podrá seguir.',
      template: 'Guarda como plantilla lo que envías una y otra vez.',
    },
    deleteNamed: (name: string): string => `Eliminar ${name}`,
    question: (name: string): string => `¿Eliminar ${name}?`,
    deleted: (name: string): string => `${name} se ha eliminado.`,
    fromTemplate: (name: string): string => `Empezado con la plantilla ${name}.`,
    isDraft: (name: string): string => `Un borrador del equipo: ${name}.`,
    consequence: 'Nadie podrá seguir escribiendo en él. Lo enviado se queda.',
    deleteAct: 'Eliminar',
    saveDraft: 'Guardar como borrador',
    saveTemplate: 'Guardar como plantilla',
    unnamed: 'Sin título',
    savedAlways: 'Se guarda mientras escribes',
    saving: 'Guardando …',
    failed: 'No se ha guardado. Se intenta otra vez con tu próximo cambio.',
    notSaved: 'No se ha guardado: alguien lo ha cambiado.',
    conflictAbout: 'Lo que has escrito desde entonces no está guardado.',
    takeTheirs: 'Tomar la otra versión',
    keepMine: 'Conservar la mía como otro borrador',
    kept: {
      draft: (name: string): string => `Guardado para el equipo: ${name}`,
      template: (name: string): string => `La plantilla ${name} está guardada.`,
    },
    saved: (time: string): string => `Guardado a las ${time}`,
    conflict: (who: string): string => `${who} ha cambiado este borrador`,
  },
};
