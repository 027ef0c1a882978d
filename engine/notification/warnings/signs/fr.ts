import { makers, type SignsOfLanguage } from './language.ts';

const device =
  '(?:telephone|smartphone|portable|appareil|ordinateur|pc|mac|iphone|android|tablette|systeme|navigateur|batterie)';

export const fr: SignsOfLanguage = {
  segment: {
    'account-threat': [
      /\b(?:votre|ton|ta) (?:\w+ ){0,2}(?:compte|carte|profil|acces|abonnement|moyen de paiement)(?: \w+){0,2} (?:a ete|est|sera|va etre) (?:\w+ ){0,2}(?:suspendu|bloque|verrouille|limite|desactive|ferme|pirate|supprime|restreint|gele)e?\b/,
      /\b(?:verifiez|confirmez|validez) (?:vite |immediatement |maintenant )?(?:votre|vos) (?:\w+ ){0,2}(?:compte|identite|mot de passe|carte|donnees|coordonnees|paiement)\b/,
      /\b(?:connexion|activite) (?:inhabituelle|suspecte)(?: \w+){0,3} (?:sur|dans|a) (?:votre|ton) compte\b/,
      /\b(?:votre|ton) (?:colis|livraison) (?:\w+ )?(?:est (?:en attente|bloque|retenu)|n'a pas pu etre livre)e?\b/,
    ],
    prize: [
      /\b(?:vous avez|tu as)(?: \w+)? (?:gagne|remporte)\b(?: (?:un|une|le|la|des|\d[\d ]*))?(?: (?:nouvel|nouveau|superbe))?(?:$| ?(?:iphone|cadeau|bon\b|voiture|euros?|€|prix|smartphone|lot\b|samsung))/,
      /\bfelicitations,? (?:vous|tu)\b.{0,40}\b(?:gagne|gagnant|remporte|selectionne|choisi)e?\b/,
      /\b(?:reclamez|recuperez|recevez) (?:vite |maintenant )?(?:votre|vos) (?:\w+ )?(?:prix|cadeaux?|gains?|lots?|recompense|bon d'achat|iphone)\b/,
      /\bvous (?:avez ete|etes) (?:\w+ )?(?:selectionne|tire au sort|l'heureux gagnant|le gagnant|notre gagnant)e?\b/,
    ],
    'fake-system-message': [
      new RegExp(
        `\\b(?:votre|ton|ta|cet) (?:\\w+ ){0,2}${device} (?:est|a ete) (?:\\w+ ){0,3}(?:infecte|endommage|pirate|en danger|menace|bloque|compromis|verrouille)e?\\b`,
      ),
      /\b(?:\d+|plusieurs) (?:virus|menaces|chevaux de troie|logiciels malveillants)(?: \w+){0,3} (?:sur|dans) (?:votre|ton|cet)\b/,
      new RegExp(
        `\\b(?:nettoyez|analysez|reparez) (?:votre|vos|cet) (?:\\w+ )?${device} (?:maintenant|immediatement|vite)\\b`,
      ),
      /\bappelez (?:microsoft|apple|google|windows|notre)(?: \w+){0,2} (?:maintenant|immediatement|au \+?\d)/,
    ],
    impersonation: [
      /\bvotre (?:navigateur|chrome|systeme|telephone|android|windows|iphone) (?:est (?:obsolete|perime|depasse)|n'est (?:plus|pas) a jour)\b/,
      /\bmise a jour (?:de chrome |du navigateur |du systeme )(?:est )?(?:requise|obligatoire|necessaire)\b/,
    ],
    'money-doubling': [
      /\b(?:doublez|triplez|multipliez) (?:vos|votre) (?:\w+ )?(?:bitcoins?|cryptos?\w*|argent|mise|investissement|economies|capital)\b/,
      /\b(?:envoyez|deposez)\b.{0,40}\b(?:btc|bitcoins?|eth|ethereum|cryptos?)\b.{0,40}\b(?:recevez|recuperez)\b.{0,30}\b(?:retour|double|fois)\b/,
      /\b(?:gains|profits|benefices) garantis\b/,
    ],
  },
  whole: {
    'fake-system-message': [
      /^(?:(?:attention|alerte|avertissement|danger)\W+)?(?:\d+ )?(?:virus|malwares?|menaces?|chevaux de troie) (?:ont ete |a ete )?(?:detecte|trouve)e?s?\W*$/,
    ],
    impersonation: [
      new RegExp(
        `^(?:alerte|avertissement|message|notification)(?: de| systeme)?(?: securite)?(?: de)? (?:${makers})\\W*$`,
      ),
      new RegExp(
        `^(?:alerte|avertissement|message|securite|support|assistance)(?: de)?(?: securite)?(?: de)? (?:${makers}) ?[:!|].*\\b(?:votre|vos)\\b`,
      ),
    ],
  },
  reported:
    /\b(?:comment|pourquoi|si|quand|que|ce qu|qu'|ou|pourrait|peut|faut-il|est-ce|lorsque|dit|dites)\b/,
};
