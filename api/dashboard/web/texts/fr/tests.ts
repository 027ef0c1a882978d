import type { TextsOf } from '../texts.ts';

export const tests: TextsOf<'tests'> = {
  tests: {
    title: 'Navigateurs de test',
    description:
      'Les navigateurs et téléphones de votre équipe. Un test ne va qu’à eux, et aucun chiffre ne le compte.',
    empty:
      'Ajoutez les navigateurs que vous utilisez : celui-ci, votre téléphone, celui de la salle de rédaction.',
    name: 'Nom',
    where: 'Navigateur',
    by: 'Ajouté par',
    at: 'Ajouté',
    picked: 'Pas enregistré par un lien : les personnes qui approuvent peuvent y envoyer des tests.',
    gone: 'Désabonné',
    add: 'Ajouter un navigateur',
    addAbout: (minutes: number): string =>
      `Ouvrez votre site par ce lien, dans le navigateur que vous voulez ajouter. Il vaut pour un navigateur et ${minutes} minutes.`,
    openHere: 'Ouvrir le site dans ce navigateur',
    elsewhere: 'Pour votre téléphone ou un autre navigateur',
    waiting:
      'En attente du navigateur. S’il n’est pas encore abonné, autorisez les notifications sur le site.',
    added: (name: string): string => `${name} est maintenant un navigateur de test.`,
    ended: 'Ce lien n’est plus valable.',
    another: 'Créer un autre lien',
    rename: 'Renommer',
    renameNamed: (name: string): string => `Renommer ${name}`,
    newName: 'Nouveau nom',
    renamed: 'Le nom est enregistré.',
    nameMissing: 'Saisissez un nom.',
    remove: 'Retirer',
    removeNamed: (name: string): string => `Retirer ${name}`,
    removeTitle: (name: string): string => `Retirer ${name} ?`,
    removeText: 'Il ne recevra plus de tests. Il reste abonné.',
    removed: (name: string): string => `${name} a été retiré.`,
    use: 'Utiliser pour les tests',
    useAbout: 'Ce navigateur reçoit les tests que votre équipe envoie avant une notification.',
    used: (name: string): string => `C’est le navigateur de test « ${name} ».`,
    manage: 'Navigateurs de test',
    sendTitle: 'Envoyer un test',
    to: 'À',
    noneChosen: 'Choisissez-en au moins un.',
    about:
      'Ils le reçoivent maintenant, comme les lecteurs le recevraient. Aucun chiffre et aucun plafond de fréquence ne le compte.',
    send: 'Envoyer le test',
    again: 'Envoyer encore',
    results: 'Résultat',
    removedSince: 'Retiré depuis',
    unknown: 'Ce que les navigateurs ont signalé ne peut pas être lu pour le moment.',
    states: {
      waiting: 'En route',
      not_sent: 'Non abonné',
      failed: 'Échec',
      accepted: 'Accepté',
      displayed: 'Affiché',
      clicked: 'Cliqué',
    },
  },
};
