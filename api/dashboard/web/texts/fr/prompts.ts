import type { Texts } from '../texts.ts';

/** How a site asks its readers. */
export const prompts: Pick<Texts, 'prompts'> = {
  prompts: {
    description:
      'Comment votre site propose les notifications à ses lecteurs. La question du navigateur ne vient qu’après un oui à la vôtre.',
    saved: 'Enregistré. Vos pages l’appliquent dans les deux minutes.',
    on: 'Demande d’abonnement',
    onHint:
      'Les pages qui définissent leur propre demande dans Broadside.init la gardent. Sans aucune demande, les pages affichent une cloche.',
    enabled: 'Demander aux lecteurs comme réglé ici',
    look: 'Apparence',
    variant: (name) => `Variante ${name}`,
    variantHint: 'Chaque navigateur reçoit l’une des deux au hasard et la garde.',
    addVariant: 'Comparer avec une seconde demande',
    remove: 'Retirer',
    removeOf: (name) => `Retirer la variante ${name}`,
    previewOf: (name) => `Aperçu de la variante ${name}`,
    kind: 'Type',
    kinds: { 'slide-down': 'Volet', bar: 'Barre', bell: 'Cloche' },
    place: 'Position',
    places: { bottom: 'En bas', top: 'En haut', right: 'En bas à droite', left: 'En bas à gauche' },
    question: 'Question',
    textsHint:
      'Laissez un texte vide pour afficher le nôtre, dans la langue de votre page : il y en a douze.',
    accept: 'Texte du bouton « Oui »',
    later: 'Texte du bouton « Pas maintenant »',
    own: {
      question: 'Recevoir l’actualité en direct ?',
      accept: 'Oui, me prévenir',
      later: 'Pas maintenant',
    },
    categories: 'Les lecteurs y choisissent des catégories',
    categoriesHint:
      'Les douze premières par nom. Les lecteurs qui les laissent toutes cochées reçoivent aussi les catégories à venir.',
    colours: { background: 'Fond', text: 'Texte', accent: 'Bouton', accent_text: 'Texte du bouton' },
    rules: 'Quand',
    rulesHint: 'Toutes les conditions doivent être remplies. Une cloche ne dépend que des adresses.',
    pages: 'À partir de la page vue numéro',
    seconds: 'Après ce nombre de secondes sur la page',
    scroll: 'Après ce pourcentage de la page',
    showOn: 'Seulement à ces adresses',
    hideOn: 'Jamais à ces adresses',
    pathsHint:
      'Un chemin par ligne, comme /news/*. Un * remplace n’importe quels caractères. Vide : partout.',
    pathWrong: 'Chaque ligne doit commencer par / ou *.',
    again: 'Après « pas maintenant », redemander',
    agains: { '3': 'Après 3 jours', '7': 'Après 7 jours', '30': 'Après 30 jours', never: 'Jamais' },
    winBack: 'Reconquérir des lecteurs',
    winBackHint:
      'Les lecteurs dont le navigateur a retiré l’autorisation reçoivent une nouvelle demande, avec un texte à elle.',
    results: 'Résultats',
    invented:
      '« Montrée », « Oui », « Autorisé » et « Pas maintenant » sont signalés par les navigateurs, une fois chacun, et pourraient être falsifiés. Ce sont les nouveaux abonnés qui comptent. Modifier les variantes remet les comptes à zéro. Le taux est la part des nouveaux abonnés parmi les demandes montrées ; dessous, l’intervalle où il se trouve avec une probabilité de 95 %.',
    since: (day) => `Compté depuis le ${day}.`,
    variantHeader: 'Variante',
    counts: {
      shown: 'Montrée',
      accepted: 'Oui',
      granted: 'Autorisé',
      dismissed: 'Pas maintenant',
      subscribed: 'Abonnés',
    },
    rate: 'Taux',
    between: (low, high) => `${low} à ${high}`,
    best: 'Meilleure à',
  },
};
