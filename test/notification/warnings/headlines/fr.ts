/** As newsrooms write them, news about deception among them. None of them deceives anybody. */
export const headlines = `
L’Assemblée adopte le budget au petit matin
Alerte tempête sur la côte : trains supprimés jusqu’à jeudi
La BCE laisse ses taux inchangés
Deux morts dans une avalanche en Savoie
Les pourparlers de cessez-le-feu reprennent à Genève
Paris remporte le derby 3–1
Inondations : des milliers d’habitants évacués
Rappel de lait infantile contaminé
Deux nouveaux virus découverts chez des chauves-souris
Le virus de la grippe aviaire détecté dans un élevage
Des millions de routeurs infectés, selon des chercheurs
La police met en garde contre de faux SMS de livraison
Des escrocs se font passer pour des conseillers bancaires
« Votre compte a été suspendu » : le SMS qui a ruiné une retraitée
Comment savoir si votre téléphone a été piraté
Votre téléphone est-il infecté ? Cinq signes à connaître
Que faire quand votre carte est bloquée à l’étranger
Pourquoi votre compte pourrait être fermé
Microsoft corrige 60 failles dans Windows
Fin de Windows 10 : quelles sont vos options
Google alerte sur une faille dans Chrome
Apple prévient des utilisateurs visés par un logiciel espion
Mettez à jour Chrome : Google corrige une faille exploitée
Samsung rappelle des téléphones à batterie défectueuse
Le bitcoin dépasse 100 000 dollars
Le bitcoin double de valeur en un an
Comment doubler votre épargne avant la retraite
Faillite d’une plateforme de cryptos : les clients attendent leur argent
Prison pour l’auteur d’une arnaque au bitcoin
Loto : un retraité de Lille gagne 38 millions
Avez-vous gagné ? Les résultats du loto de samedi
Vous avez gagné une heure de sommeil cette nuit
Le gros lot que personne ne réclame
« Vous avez gagné ! » : la vieille arnaque revient
Le prix Nobel décerné à trois physiciens
Félicitations unanimes après la victoire des Bleues
PayPal augmente ses frais pour les commerçants
Amazon supprime 14 000 postes
Netflix met fin au partage de comptes
Des pirates publient les données de deux millions de patients
Fraude : des voix imitées par l’IA pour tromper les aînés
Le virus qui a changé le monde
Votre week-end en cinq images
Votre guide des élections municipales
Votre argent : ce qui change en janvier
Vos droits quand le colis n’arrive pas
Dernière chance de voir les aurores boréales
Comment nous vérifions les images
Confirmé : le sommet aura lieu à Prague
En direct : suivez le dépouillement
Dernière minute : le Premier ministre démissionne
But ! La France mène après 12 minutes
Grève à la SNCF dès lundi : les lignes touchées
Les prix de l’immobilier baissent pour le sixième mois
Une usine de batteries va créer 3 000 emplois
Téléphones interdits à l’école en septembre
Facebook suspend le compte de l’ancien président
Des centaines de comptes bloqués après une cyberattaque
Le revenu garanti à l’essai dans cinq communes
Une actrice raconte : « Mon téléphone a été piraté »
Le point du matin : les trois informations du jour
`
  .trim()
  .split('\n');

/** As deceptive notifications have them. */
export const deceptions: Readonly<Record<string, readonly string[]>> = {
  'account-threat': [
    'Votre compte a été suspendu !',
    'Attention : votre compte bancaire sera bloqué',
    'Vérifiez immédiatement votre identité',
    'Votre colis est en attente',
    'Connexion suspecte sur votre compte',
  ],
  prize: [
    'Vous avez gagné !',
    'Vous avez gagné un iPhone',
    'Félicitations, vous avez été sélectionné',
    'Réclamez votre cadeau',
    'Vous êtes notre gagnant du jour',
  ],
  'fake-system-message': [
    'Votre téléphone est infecté',
    'Virus détecté !',
    'Attention : 5 virus trouvés sur votre appareil',
    'Votre batterie est endommagée',
    'Nettoyez votre téléphone maintenant',
  ],
  impersonation: [
    'Alerte de sécurité Chrome',
    'Alerte Google : vos photos seront supprimées',
    'Votre navigateur est obsolète',
    'Mise à jour du navigateur requise',
  ],
  'money-doubling': [
    'Doublez vos bitcoins',
    'Multipliez votre argent',
    'Gains garantis',
    'Envoyez 1 BTC, recevez le double',
  ],
};
