import type { Texts } from '../texts.ts';

/** Comment un site sollicite ses lecteurs. */
export const prompts: Pick<Texts, 'prompts'> = {
  prompts: {
    description:
      'Comment votre site propose les notifications à ses lecteurs. La question du navigateur ne vient qu’après un oui à la vôtre.',
    saved: 'Enregistré. Vos pages suivent dans les deux minutes.',
    on: 'Invitation',
    onHint:
      'Les pages qui nomment leur propre invitation dans Broadside.init la gardent. Sans aucune, les pages montrent une cloche.',
    enabled: 'Solliciter les lecteurs comme réglé ici',
    look: 'Apparence',
    variant: (name) => `Variante ${name}`,
    variantHint: 'Chaque navigateur reçoit l’une des deux au hasard et la garde.',
    addVariant: 'Comparer avec une seconde invitation',
    remove: 'Retirer',
    removeOf: (name) => `Retirer la variante ${name}`,
    previewOf: (name) => `Aperçu de la variante ${name}`,
    kind: 'Type',
    kinds: { 'slide-down': 'Volet', bar: 'Barre', bell: 'Cloche' },
    place: 'Place',
    places: { bottom: 'En bas', top: 'En haut', right: 'En bas à droite', left: 'En bas à gauche' },
    question: 'Question',
    textsHint:
      'Là où vous laissez un texte vide, les lecteurs voient le nôtre, dans la langue de votre page : il y en a douze.',
    accept: 'Bouton pour oui',
    later: 'Bouton pour pas maintenant',
    own: {
      question: 'Recevoir l’actualité en direct ?',
      accept: 'Oui, me prévenir',
      later: 'Pas maintenant',
    },
    categories: 'Les lecteurs y choisissent des catégories',
    categoriesHint:
      'Les douze premières par nom. Qui les laisse toutes cochées reçoit aussi les catégories à venir.',
    colours: { background: 'Fond', text: 'Texte', accent: 'Bouton', accent_text: 'Texte du bouton' },
    rules: 'Quand',
    rulesHint: 'Toutes les conditions doivent être remplies. Une cloche ne suit que les adresses.',
    pages: 'À partir de la page vue',
    seconds: 'Après secondes sur la page',
    scroll: 'Après pour cent de la page',
    showOn: 'Seulement à ces adresses',
    hideOn: 'Jamais à ces adresses',
    pathsHint: 'Un chemin par ligne, comme /news/*. Un * vaut n’importe quels caractères. Vide : partout.',
    pathWrong: 'Chaque ligne doit commencer par / ou *.',
    again: 'Après « pas maintenant », redemander',
    agains: { '3': 'Après 3 jours', '7': 'Après 7 jours', '30': 'Après 30 jours', never: 'Jamais' },
    winBack: 'Regagner des lecteurs',
    winBackHint: 'Là où le navigateur a retiré l’autorisation : une nouvelle demande, avec ses propres mots.',
    results: 'Résultats',
    invented:
      'Montrée, oui, autorisé et pas maintenant sont rapportés par les navigateurs, une fois chacun : un inconnu pourrait les inventer. Ce sont les nouveaux abonnés qui décident. D’autres variantes commencent de nouveaux comptes. Le taux est celui des nouveaux abonnés sur montrées ; dessous, où il se trouve à 95 %.',
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
