import type { Texts } from '../texts.ts';

/** What new subscribers get. */
export const welcome: Pick<Texts, 'welcome'> = {
  welcome: {
    description:
      'Une notification pour chaque lecteur qui s’abonne sur votre site. Ses chiffres n’apparaissent qu’ici : ceux du site ne la comptent pas.',
    saved: 'Enregistré.',
    notification: 'Notification',
    once: 'Une fois par navigateur : pas pour ceux qui sont importés, ni pour un lecteur qui revient dans les 30 jours. Ceux qui attendent déjà reçoivent ce que vous enregistrez ici.',
    enabled: 'Accueillir les nouveaux abonnés',
    url: 'Lien',
    image: 'URL de l’image',
    icon: 'URL de l’icône',
    delay: 'Minutes après l’abonnement',
    delayHint: '0 : en quelques secondes. Au plus 1 440, un jour.',
    results: (days) => `Messages de bienvenue des ${days} derniers jours`,
    asOf: (time) => `au ${time}`,
    days: (days) => `en ${days} jours`,
    sent: 'Envoyées',
    displayed: 'Affichées',
    clicked: 'Cliquées',
    waiting: 'En attente',
  },
};
