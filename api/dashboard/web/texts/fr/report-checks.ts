import { plural } from './plural.ts';

/** Checks of figures: two sources, unusual days, and how certain days are. */
export const reportChecks = {
  reportChecks: {
    title: 'Vérifications',
    description:
      'Peut-on se fier aux chiffres ? Ce qui diffère, ce qui est inhabituel et ce qui a changé par la suite.',
    views: { differences: 'Deux sources', unusual: 'Jours inhabituels', days: 'Jours et corrections' },
    run: 'Vérifier',
    gone: 'une personne partie depuis',
    differences: {
      about:
        'Ce que deux serveurs publicitaires ont compté les mêmes jours pour les mêmes sites, le plus grand écart en argent d’abord.',
      first: 'Première source',
      second: 'Deuxième source',
      amount: (currency: string): string => `Écart d’au moins (${currency})`,
      percent: 'Et d’au moins (en %)',
      twoNeeded: 'Il faut deux sources',
      twoNeededAbout: (one: string | null): string =>
        one === null
          ? 'Votre jeton ne voit aucune statistique des 92 derniers jours. Importez celles de deux serveurs publicitaires, chacune avec son --source, ou utilisez un jeton qui les voit.'
          : `Des 92 derniers jours, votre jeton ne voit que les statistiques de ${one}. Importez celles d’un autre serveur publicitaire avec son propre --source, ou utilisez un jeton qui les voit.`,
      title: (first: string, second: string): string => `${first} et ${second}`,
      counted: (found: string, compared: string): string =>
        `${found} ${plural(found, 'jour de site', 'jours de sites')} sur ${compared} ${plural(found, 'diffère', 'diffèrent')} d’autant.`,
      cut: (shown: string): string =>
        `Les ${shown} plus grands sont affichés. Pour voir les autres : relevez les deux seuils, choisissez moins de jours ou utilisez broadside discrepancies --offset.`,
      more: (most: string): string => `Afficher jusqu’à ${most}`,
      order: (first: string, second: string): string =>
        `En haut ${first}, en bas ${second} ; les pourcentages se rapportent à la première.`,
      none: 'Aucun jour d’un site ne diffère d’autant. Abaissez les deux seuils ou choisissez d’autres jours.',
      nothing: 'Aucune des deux sources n’a de lignes ces jours-là. Choisissez d’autres jours.',
      missing: (source: string): string => `rien de ${source}`,
      difference: 'Écart',
      reason: 'Raison',
      reasonMissing: 'Écrivez pourquoi elles diffèrent.',
      note: 'Noter une raison',
      change: 'Modifier',
      remove: 'Retirer',
      noteOf: (site: string, day: string): string => `Raison pour ${site}, ${day}`,
      removeOf: (site: string, day: string): string => `Retirer la raison pour ${site}, ${day}`,
      removeAbout: 'Elle disparaît pour toute votre organisation.',
      removed: 'La raison a été retirée.',
      noteAbout: 'Tous ceux de votre organisation qui voient cette ligne la lisent.',
    },
    unusual: {
      about:
        'Chaque site, produit et pays comparé aux mêmes jours de la semaine des huit semaines précédentes, le plus grand écart en argent d’abord ; dix par jour au plus.',
      amount: (currency: string): string => `Écart d’au moins (${currency})`,
      counted: (shown: string, found: string): string =>
        shown === found
          ? `${found} ${plural(found, 'jour inhabituel', 'jours inhabituels')}.`
          : `${shown} des ${found} jours inhabituels sont affichés.`,
      muted: (count: string): string =>
        `${count} ${plural(count, 'autre est ignoré', 'autres sont ignorés')}.`,
      fresh: (count: string, money: string): string =>
        `Rien n’est dit de ${count} ${plural(count, 'série', 'séries')} ayant moins de quatre de ces jours auparavant (${money}).`,
      withoutRows: (days: string): string => `Sans aucune ligne : ${days}.`,
      none: 'Rien d’inhabituel',
      noneAbout:
        'Chaque série a rapporté ce qu’elle rapporte d’habitude ces jours de la semaine. Abaissez le seuil pour voir de plus petits écarts.',
      nothing:
        'Il n’y a pas de lignes ces jours-là. Choisissez d’autres jours ou importez leurs statistiques.',
      less: (money: string): string => `${money} de moins que d’habitude`,
      more: (money: string): string => `${money} de plus que d’habitude`,
      range: (low: string, high: string): string => `D’habitude : de ${low} à ${high}.`,
      usual: 'D’habitude',
      band: 'Plage des valeurs habituelles',
      weekdays: 'Mêmes jours de la semaine',
      from: 'D’où cela vient',
      part: 'Partie',
      notStated: 'non indiqué',
      mute: 'Ignorer',
      muteOf: (series: string): string => `Ignorer ${series}`,
      until: 'Jusqu’au',
      untilMissing: 'Choisissez le dernier jour.',
      muteAbout:
        'Jusqu’à ce jour inclus, ses jours inhabituels ne sont montrés à personne de votre organisation.',
      mutedNow: (series: string): string => `${series} est ignoré.`,
      mutes: 'Séries ignorées',
      mutesNone:
        'Rien n’est ignoré. Si vous savez pourquoi une série est inhabituelle, ignorez-la jusqu’à ce que cela cesse.',
      series: 'Série',
      mutedBy: 'Ignorée par',
      end: 'Montrer à nouveau',
      endOf: (series: string): string => `Montrer à nouveau ${series}`,
      endAbout: 'Ses jours inhabituels sont à nouveau montrés à toute votre organisation.',
      ended: (series: string): string => `${series} est à nouveau montré.`,
    },
    days: {
      about: 'À quel point les jours de chaque source sont sûrs, et qui l’a dit.',
      title: 'Jours des sources',
      source: 'Source',
      days: 'Jours',
      state: 'État',
      states: { open: 'Ouvert : il peut en venir d’autres', complete: 'Complet', final: 'Définitif' },
      by: 'Dit par',
      nobody: 'personne',
      speakers: {
        import: 'une importation',
        person: 'une personne',
        rule: 'une règle de la source',
        time: 'l’heure jusqu’à laquelle elle est complète',
      },
      left: (count: number): string => `${count} autres ne sont pas affichés : choisissez moins de jours.`,
      none: 'Votre jeton ne voit aucune source ces jours-là. Choisissez d’autres jours ou importez leurs statistiques.',
      changes: 'Corrections',
      changesAbout:
        'Les jours qu’une source a remplacés, et les jours définitifs qu’elle a complétés : ce qui a changé dans les lignes que voit votre jeton.',
      changesNone: 'Aucun jour que voit votre jeton n’a été corrigé.',
      change: 'Changement',
      changed: { replaced: 'Remplacé', added: 'Complété' },
      wasFinal: 'était définitif',
      before: 'Avant',
      after: 'Après',
      impressions: (count: string): string => `${count} ${plural(count, 'impression', 'impressions')}`,
      more: 'Afficher les précédentes',
    },
  },
} as const;
