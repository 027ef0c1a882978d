import type { Texts } from '../texts.ts';

export const fr: Texts = {
  question: 'Recevoir l’actualité en direct ?',
  benefit: 'Même quand cette page est fermée. Vous pouvez les désactiver à tout moment.',
  accept: 'Oui, me prévenir',
  later: 'Pas maintenant',
  winBack:
    'Votre navigateur a désactivé les notifications de ce site, car vous n’étiez pas venu depuis un moment. Les réactiver ?',
  choose: 'Sur quels sujets ?',
  subscribe: 'Activer les notifications',
  unsubscribe: 'Désactiver les notifications',
  subscribed: 'Les notifications sont activées.',
  unsubscribed: 'Les notifications sont désactivées.',
  denied:
    'Les notifications sont bloquées. Autorisez-les dans les réglages de votre navigateur pour ce site.',
  homeScreen:
    'Pour recevoir des notifications ici, touchez « Partager », puis « Sur l’écran d’accueil » avec « Ouvrir comme app web », et ouvrez la page depuis là.',
  failed: 'Cela n’a pas fonctionné. Réessayez plus tard.',
  close: 'Fermer',
  quiet: 'Votre navigateur n’a rien demandé, ou n’affiche qu’une cloche barrée dans la barre d’adresse ?',
  showHow: 'Voir comment autoriser',
  helpTitle: 'Comment activer les notifications',
  helpEnd: 'Rechargez ensuite cette page.',
  help: {
    chromeDesktop: [
      'Cliquez sur l’icône à gauche de l’adresse.',
      'Ouvrez « Paramètres de site ».',
      'À côté de « Notifications », choisissez « Autoriser ».',
    ],
    chromeAndroid: [
      'Touchez l’icône à gauche de l’adresse.',
      'Touchez « Autorisations », puis « Notifications ».',
      'Activez « Afficher les notifications ».',
      'Si c’est grisé, autorisez d’abord les notifications de Chrome dans les paramètres d’Android, sous « Applications ».',
    ],
    edge: [
      'Cliquez sur l’icône à gauche de l’adresse.',
      'Ouvrez « Autorisations pour ce site ».',
      'À côté de « Notifications », choisissez « Autoriser ».',
    ],
    firefox: [
      'Cliquez sur l’icône à gauche de l’adresse.',
      'À côté de « Envoyer des notifications », supprimez « Bloqué ».',
      'Sur Android, touchez le cadenas, puis « Notification », jusqu’à lire « Autorisé ».',
    ],
    safari: [
      'Dans la barre des menus, ouvrez « Safari », puis « Réglages ».',
      'Choisissez « Sites web », puis « Notifications ».',
      'À côté de ce site, choisissez « Autoriser ».',
    ],
    ios: [
      'Touchez « Partager », puis « Sur l’écran d’accueil » avec « Ouvrir comme app web », et ouvrez le site depuis là.',
      'S’il y est déjà, ouvrez l’app « Réglages », puis « Notifications ».',
      'Choisissez ce site et activez « Autoriser les notifications ».',
    ],
  },
};
