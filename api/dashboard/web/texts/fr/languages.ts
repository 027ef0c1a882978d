import type { TextsOf } from '../texts.ts';

/** One notification in several languages, and readers' tags in it. */
export const languages: TextsOf<'languages'> = {
  languages: {
    languages: 'Langues',
    about:
      'Les lecteurs la reçoivent dans la langue de leur navigateur si vous l’écrivez ici. Les autres reçoivent le texte ci-dessus.',
    main: 'Langue du texte ci-dessus',
    mainAbout: 'Les lecteurs d’écran le prononcent en conséquence.',
    add: 'Ajouter une langue',
    none: 'Aucune langue de ce nom',
    remove: (name: string): string => `Retirer : ${name}`,
    titleIn: (name: string): string => `Titre, ${name}`,
    bodyIn: (name: string): string => `Texte, ${name}`,
    urlIn: (name: string): string => `Lien, ${name}`,
    urlAbout: 'Vide : le lien ci-dessus.',
    iconIn: (name: string): string => `Icône, ${name}`,
    iconAbout: 'Vide : l’icône ci-dessus.',
    buttonIn: (number: number, name: string): string => `Bouton ${number}, ${name}`,
    preview: 'Aperçu en',
    mainText: 'Texte principal',
    texts: 'Textes',
    textsAbout: 'Chaque lecteur reçoit celui de la langue de son navigateur.',
    everyoneElse: 'Tous les autres',
    everyoneElseIn: (name: string): string => `${name}, et tous les autres`,
    personal: 'Elle cite des tags du lecteur : chaque message a ses propres mots.',
    insert: 'Insérer dans le texte',
    tag: {
      insert: 'Tag du lecteur',
      about: 'Chaque lecteur voit la valeur de son propre tag.',
      key: 'Tag',
      otherwise: 'Pour les lecteurs sans ce tag',
      otherwiseExample: 'lecteur',
      act: 'Insérer',
    },
  },
};
