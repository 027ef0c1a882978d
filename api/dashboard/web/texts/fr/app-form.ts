import type { TextsOf } from '../texts.ts';

const isOne = (count: string): boolean => count === '0' || count === '1';

/** An app's settings, its creation and its end. */
export const appForm: TextsOf<'appForm' | 'pictures' | 'newApp' | 'deleteApp' | 'leave'> = {
  appForm: {
    tabs: {
      site: 'Site',
      notifications: 'Notifications',
      limits: 'Limites',
      approval: 'Approbation',
      tests: 'Navigateurs de test',
      data: 'Données',
    },
    unsaved: 'Modifications non enregistrées',
    discard: 'Abandonner',
    site: 'Votre site',
    name: 'Nom',
    nameMissing: 'Donnez-lui un nom.',
    siteDomain: 'Adresse du site',
    siteHint:
      'L’origine, sans chemin : https://news.example. Seules les pages de cette origine peuvent abonner des lecteurs.',
    timeZone: 'Fuseau horaire',
    timeZoneHint: 'Il vaut pour les lecteurs dont le fuseau n’est pas connu.',
    siteMissing: 'Indiquez l’adresse de votre site.',
    notifications: 'Notifications',
    notificationsHint: 'Valeurs par défaut des notifications.',
    ttl: 'Conservation hors ligne',
    ttlHint:
      'Pour les lecteurs hors ligne : une notification plus ancienne n’est pas affichée. 28 jours au plus.',
    ttlUnit: 'Unité',
    ttlUnitHint: '0 signifie : tout de suite ou jamais.',
    units: { seconds: 'secondes', minutes: 'minutes', hours: 'heures', days: 'jours' },
    requireInteraction: 'Reste affichée jusqu’au clic ou à la fermeture',
    requireInteractionHint:
      'Dans Chrome et Edge sur ordinateur. Les autres navigateurs la masquent au bout d’un moment.',
    silent: 'Silencieuse',
    silentHint: 'Ni son ni vibration.',
    fallback: 'Texte de secours',
    fallbackHint:
      'Affiché sous le nom de votre site si un navigateur ne peut pas lire un message. Il doit montrer quelque chose, sinon les navigateurs désabonnent les lecteurs.',
    fallbackExample: 'Il y a du nouveau pour vous.',
    vibrate: 'Motif de vibration',
    vibrateHint:
      'Sur Android, en millisecondes : marche, arrêt, marche… 10 nombres au plus. Vide : réglage du téléphone.',
    vibrateWrong: 'Saisissez des nombres entiers séparés par des virgules, par exemple 200, 100, 200.',
    cap: 'Plafond de fréquence',
    capHint:
      'Aucun lecteur n’en reçoit davantage, toutes notifications confondues. Une notification peut y déroger.',
    capped: 'Limiter le nombre de notifications par lecteur',
    capMost: 'Nombre maximal de notifications',
    capWindow: 'Sur une durée de',
    windows: { 60: '1 heure', 360: '6 heures', 720: '12 heures', 1440: '1 jour', 10080: '7 jours' },
    preferences: 'Bouton des réglages',
    preferencesHint:
      'Les notifications qui ont de la place pour un bouton de plus en reçoivent un qui mène aux réglages du lecteur : thèmes, moins, pause, heures calmes, désabonnement.',
    preferencesOn: 'Ajouter un bouton vers les réglages du lecteur',
    guard: 'Limite de Chrome',
    guardHint:
      'Chrome retire l’autorisation à un site que le lecteur ne visite jamais et qui affiche 28 notifications par semaine sur Android, 42 sur d’autres appareils. Les lecteurs si proches de la limite ne reçoivent plus rien avant leur prochaine visite ou leur prochain clic, pas même les notifications qui ignorent le plafond de fréquence.',
    guardOn: 'Retenir les notifications des lecteurs proches de la limite',
    guardAndroid: 'Maximum en 7 jours, sur Android',
    guardDesktop: 'Maximum en 7 jours, ailleurs',
    guardDays: 'Jours sans limite après une visite ou un clic',
    quiet: 'Heures calmes',
    quietHint:
      'Les notifications attendent tant que les lecteurs dorment. Les alertes info partent quand même, et le journal indique qui les a envoyées.',
    quietOn: 'Faire attendre les notifications la nuit',
    quietFrom: 'De',
    quietTo: 'À',
    quietZone: 'Dans le fuseau',
    quietZones: { reader: 'du lecteur', app: 'du site' },
    quietSame: 'Le début et la fin doivent être différents.',
    params: 'Paramètres d’URL',
    paramsHint:
      'Ajoutés au lien de chaque notification, pour que vos propres statistiques montrent d’où viennent les lecteurs.',
    paramKey: (number: number): string => `Nom du paramètre ${number}`,
    paramValue: (number: number): string => `Valeur du paramètre ${number}`,
    paramRemove: (number: number): string => `Supprimer le paramètre ${number}`,
    paramAdd: 'Ajouter un paramètre',
    cleaning: 'Lecteurs désabonnés',
    cleaningHint:
      'Les données des lecteurs désabonnés peuvent être supprimées après un certain temps. Les statistiques gardent leurs totaux.',
    autoDelete: 'Supprimer automatiquement les lecteurs désabonnés',
    autoDeleteDays: 'Jours avant la suppression',
    saved: 'Les réglages sont enregistrés.',
  },
  pictures: {
    title: 'Icône et badge',
    hint: 'Ce que chaque notification de ce site montre à côté de son texte. Une modification s’applique aussitôt, aux notifications rédigées à partir de maintenant.',
    none: 'Aucun',
    saved: 'Les images sont enregistrées.',
    undo: 'Annuler',
    undone: 'Les images sont comme avant.',
    propose: 'Chercher sur votre site',
    found: 'Votre site a ces images',
    take: 'Les utiliser',
    noneFound:
      'Aucune image ne convient : il faut une image carrée d’au moins 192 pixels, dans le manifeste web ou liée comme icône.',
    appBadge: 'Compteur sur l’icône de l’application installée',
    appBadgeHint: 'Le nombre de notifications depuis la dernière visite, là où le système en affiche un.',
    icon: {
      label: 'Icône',
      alt: 'Icône du site',
      hint: 'Une image carrée PNG, JPEG ou WebP d’au moins 192 pixels. Sans elle, Chrome sur Android dessine une lettre et les autres laissent la place vide.',
      upload: 'Importer une icône',
      remove: 'Supprimer l’icône',
      address: 'Adresse de l’icône',
      useAddress: 'Utiliser l’adresse de l’icône',
    },
    badge: {
      label: 'Badge',
      alt: 'Badge tel qu’Android le dessine',
      hint: 'Le petit signe dans la barre d’état d’Android : un PNG carré avec transparence, d’au moins 96 pixels. Android n’en dessine que l’opacité, en blanc.',
      upload: 'Importer un badge',
      remove: 'Supprimer le badge',
      address: 'Adresse du badge',
      useAddress: 'Utiliser l’adresse du badge',
      would: 'Voici comment Android le dessinerait.',
    },
  },
  newApp: {
    title: 'Nouveau site',
    hint: 'Chaque site a ses propres abonnés.',
    welcome: (name: string): string => `Bienvenue, ${name}`,
    welcomeHint:
      'Trois étapes jusqu’à votre première notification : nommer votre site, y placer deux extraits de code, envoyer.',
    site: 'De quel site s’agit-il ?',
    nameHint: 'Pour vous et vos collègues. Les lecteurs ne le voient pas.',
    submit: 'Créer le site',
    done: (name: string): string => `Le site « ${name} » est créé.`,
  },
  deleteApp: {
    title: 'Supprimer ce site',
    hint: 'Ses abonnés, ses notifications et ses statistiques sont supprimés définitivement.',
    adminsOnly:
      'Seuls les admins peuvent supprimer un site. Adressez-vous à l’un d’eux dans votre organisation.',
    open: 'Supprimer ce site…',
    question: (name: string): string => `Supprimer « ${name} » ?`,
    consequence: (subscribers: string): string =>
      `${subscribers} ${isOne(subscribers) ? 'abonné' : 'abonnés'}, toutes les notifications et toutes les statistiques seront supprimés définitivement. Les envois en cours s’arrêtent. Les lecteurs devraient s’abonner de nouveau, à un nouveau site.`,
    type: (name: string): string => `Saisissez « ${name} » pour continuer`,
    act: 'Supprimer définitivement',
    done: (name: string): string => `Le site « ${name} » est supprimé.`,
  },
  leave: {
    title: 'Quitter sans enregistrer ?',
    text: 'Vos modifications sur cette page ne sont pas enregistrées.',
    act: 'Quitter sans enregistrer',
  },
};
