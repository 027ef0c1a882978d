import type { TextsOf } from '../texts.ts';

/** What waits for a second person. */
export const approvals: TextsOf<'approvals'> = {
  approvals: {
    setting: 'Approbation',
    alone:
      'Vous êtes seul dans votre équipe : personne ne pourrait approuver ce que vous écrivez. Invitez d’abord quelqu’un.',
    settingAbout:
      'Une deuxième personne relit ce qui part aux lecteurs avant l’envoi : notifications, corrections et campagnes, y compris par l’API. Les articles des flux attendent comme brouillons.',
    rule: 'Qui approuve',
    rules: {
      none: 'Personne : l’envoi se fait sans approbation',
      all: 'Toujours une autre personne',
      all_but_breaking: 'Une autre personne, sauf pour les alertes info',
    },
    adminsOnly: 'Seuls les admins peuvent le modifier.',
    waits: 'En attente d’approbation',
    back: 'Renvoyée',
    writtenBy: (authors: string): string => `Écrite par ${authors}.`,
    yours: 'Quelqu’un d’autre de votre équipe doit l’approuver. Rien n’est envoyé d’ici là.',
    nothingSent: 'Rien n’est envoyé avant que vous ou quelqu’un d’autre l’approuve.',
    approve: 'Approuver',
    decline: 'Renvoyer',
    approved: 'Approuvée.',
    sentBack: 'Renvoyée à son auteur.',
    approvedBy: (who: string, when: string): string => `Approuvée par ${who}, ${when}.`,
    frozen: 'Elle va aux lecteurs de son segment, tel qu’il était à ce moment.',
    declined: (who: string): string => `Renvoyée par ${who}`,
    declinedAbout: 'Modifiez-la pour demander à nouveau l’approbation, ou annulez-la.',
    saying: (note: string): string => `« ${note} »`,
    declineTitle: 'La renvoyer à son auteur ?',
    declineAbout: 'Elle attend que quelqu’un la modifie.',
    note: 'Qu’est-ce qui doit changer ?',
    noTime: 'Vide : dès qu’elle est approuvée.',
    before: 'Quelqu’un d’autre doit l’approuver avant l’envoi.',
    askTitle: 'Demander l’approbation ?',
    review: 'Demander l’approbation…',
    ask: 'Demander l’approbation',
    asked: 'Elle est en attente d’approbation.',
    needs: 'est en attente d’approbation.',
  },
};
