import type { Texts } from '../texts.ts';

/** Ce que reçoivent les nouveaux abonnés. */
export const welcome: Pick<Texts, 'welcome'> = {
  welcome: {
    description:
      'Une notification pour chaque lecteur qui s’abonne sur votre site. Ses chiffres ne sont qu’ici : ceux du site ne la comptent pas.',
    saved: 'Enregistré.',
    notification: 'Notification',
    once: 'Une fois par navigateur : pas pour ceux qui sont importés, ni pour un lecteur qui revient dans les 30 jours. Ceux qui attendent déjà reçoivent ce que vous enregistrez ici.',
    enabled: 'Accueillir les nouveaux abonnés',
    url: 'Lien',
    image: 'Adresse d’une image',
    icon: 'Adresse d’une icône',
    delay: 'Minutes après l’abonnement',
    delayHint: '0 : en quelques secondes ; au plus 1 440, un jour.',
    results: (days) => `Messages de bienvenue des ${days} derniers jours`,
    asOf: (time) => `état de ${time}`,
    days: (days) => `en ${days} jours`,
    sent: 'Envoyées',
    displayed: 'Affichées',
    clicked: 'Cliquées',
    waiting: 'En attente',
  },
};
