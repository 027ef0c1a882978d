import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

/** Feeds: making one, changing it, and what was made of its items. */
export const feeds: TextsOf<'feeds'> = {
  feeds: {
    newTitle: 'Nouveau flux',
    changeTitle: 'Modifier le flux',
    changeAbout:
      'Il est relu dès que vous enregistrez. Ce qui en a été envoyé ne l’est pas une seconde fois.',
    description: 'Les nouveaux articles d’un flux RSS, Atom ou JSON deviennent des notifications.',
    feed: 'Flux',
    url: 'URL du flux',
    urlHint:
      'RSS, Atom ou JSON. La première lecture n’envoie rien ; ensuite, chaque nouvel article est envoyé une fois.',
    urlMissing: 'Saisissez l’URL du flux.',
    nameHint: 'Pour vous et votre équipe. Vide : l’hôte du flux.',
    publish: 'Qui décide',
    publishes: { review: 'J’approuve chaque notification', automatic: 'Envoi automatique' },
    publishAbout: {
      review: 'Les nouveaux articles attendent comme brouillons que quelqu’un les approuve.',
      automatic: 'Les nouveaux articles sont envoyés dès qu’ils sont trouvés.',
    },
    when: 'Quand les articles sont envoyés',
    whens: { items: 'Dès leur parution', digest: 'En récapitulatif' },
    digestAbout: 'À ces heures, une notification de tout ce qui est nouveau ; aucune s’il n’y a rien.',
    timeMissing: 'Choisissez les jours et l’heure.',
    every: 'Vérifier toutes les',
    everySo: (duration: string): string => `Intervalle : ${duration}`,
    perHour: 'Au plus par heure',
    overflow: 'S’il y en a plus',
    overflows: { summary: 'Résumer les autres', drop: 'Omettre les autres' },
    overflowsShort: { summary: 'les autres sont résumés', drop: 'les autres sont omis' },
    textsAbout:
      '{title}, {summary}, {category} et {author} désignent ceux de l’article. Un clic mène à l’article.',
    titleMissing: 'Indiquez le titre, par exemple {title}.',
    bodyMissing: 'Indiquez le texte, par exemple {summary}.',
    image: 'Afficher l’image de l’article',
    itemIcon: 'Afficher l’icône propre à l’article',
    itemIconAbout:
      'Le visage de son auteur ou la pochette d’un épisode, si le flux en a. Sinon l’icône ci-dessous, ou celle de l’app.',
    filter: 'Quels articles',
    filterAbout: 'Appuyez sur Entrée après chaque saisie. Vide : tous les articles.',
    filters: {
      categories: 'Seulement dans l’une de ces catégories',
      words: 'Seulement avec l’un de ces mots',
      without: 'Jamais avec l’un de ces mots ou catégories',
    },
    preview: 'Le dernier article, tel que les lecteurs le verraient',
    previewEmpty: 'Saisissez l’URL d’un flux pour le voir ici.',
    reading: 'Lecture du flux…',
    unreadable: 'Le flux ne peut pas être lu',
    noItems: (name: string): string => `« ${name} » n’a aucun article pour l’instant.`,
    items: (name: string, items: number): string =>
      `« ${name} » a ${items} ${plural(items, 'article', 'articles')} pour l’instant. Ils comptent comme connus et ne sont pas envoyés.`,
    itemsMatching: (name: string, items: number, matching: number): string =>
      `« ${name} » a ${items} ${plural(items, 'article', 'articles')} pour l’instant ; votre filtre en laisse passer ${matching}.`,
    start: 'Démarrer le flux',
    started: 'Le flux est lu à partir de maintenant.',
    saved: 'Le flux est modifié.',
    looks: 'Vérification',
    lastRead: 'Dernière vérification',
    neverRead: 'Pas encore',
    failingSince: (time: string): string => `En échec depuis le ${time}.`,
    drafts: 'Brouillons',
    draftsNone: 'Rien ne vous attend. Les nouveaux articles apparaissent ici.',
    draftsAbout: (count: number): string =>
      plural(count, 'Un brouillon attend votre décision.', `${count} brouillons attendent votre décision.`),
    draftsWait: (count: number): string =>
      plural(count, 'Un brouillon attend', `${count} brouillons attendent`),
    sumsUp: (items: number): string => `${items} ${plural(items, 'article', 'articles')}`,
    found: (time: string): string => `Trouvé le ${time} :`,
    approve: 'Approuver…',
    approveItem: (title: string): string => `Approuver… : ${title}`,
    approveTitle: 'Envoyer cette notification ?',
    approveAct: 'Envoyer maintenant',
    approved: 'L’envoi a commencé.',
    dismiss: 'Écarter',
    dismissItem: (title: string): string => `Écarter : ${title}`,
    dismissTitle: 'Écarter ce brouillon ?',
    dismissAbout: (title: string): string => `« ${title} » ne sera jamais envoyé.`,
    dismissAct: 'Écarter le brouillon',
    dismissed: 'Le brouillon est écarté.',
  },
};
