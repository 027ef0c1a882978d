import type { TextsOf } from '../texts.ts';

/** What a team writes before it sends. */
export const drafts: TextsOf<'drafts'> = {
  drafts: {
    description: 'Ce que votre équipe est en train d’écrire, et ses modèles.',
    drafts: 'Brouillons',
    templates: 'Modèles',
    templatesAbout: 'Un modèle remplit la page de rédaction et reste tel quel.',
    write: 'Rédiger',
    name: 'Nom',
    by: 'Enregistré par',
    at: 'Enregistré',
    emptyTitle: { draft: 'Aucun brouillon', template: 'Aucun modèle' },
    empty: {
      draft: 'Enregistrez ce que vous écrivez comme brouillon : votre équipe pourra continuer.',
      template: 'Enregistrez comme modèle ce que vous envoyez souvent.',
    },
    deleteNamed: (name: string): string => `Supprimer ${name}`,
    question: (name: string): string => `Supprimer ${name} ?`,
    deleted: (name: string): string => `${name} est supprimé.`,
    fromTemplate: (name: string): string => `Commencé avec le modèle ${name}.`,
    isDraft: (name: string): string => `Un brouillon de l’équipe : ${name}.`,
    consequence: 'Personne ne pourra plus y travailler. Ce qui a été envoyé reste.',
    deleteAct: 'Supprimer',
    saveDraft: 'Enregistrer le brouillon',
    saveTemplate: 'Enregistrer le modèle',
    unnamed: 'Sans titre',
    savedAlways: 'Enregistré au fil de la saisie',
    saving: 'Enregistrement…',
    failed: 'Non enregistré. Nouvel essai à votre prochaine modification.',
    notSaved: 'Non enregistré : quelqu’un l’a modifié.',
    conflictAbout: 'Ce que vous avez écrit depuis n’est pas enregistré.',
    takeTheirs: 'Garder l’autre version',
    keepMine: 'Garder la mienne comme autre brouillon',
    kept: {
      draft: (name: string): string => `Enregistré pour l’équipe : ${name}`,
      template: (name: string): string => `Le modèle ${name} est enregistré.`,
    },
    saved: (time: string): string => `Enregistré à ${time}`,
    conflict: (who: string): string => `${who} a modifié ce brouillon`,
  },
};
