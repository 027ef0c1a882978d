import { makers, type SignsOfLanguage } from './language.ts';

const device =
  '(?:handy|smartphone|telefon|gerat|computer|pc|laptop|mac|iphone|android|tablet|system|browser|akku)';

/** `ihr` is also theirs and hers: it speaks to the reader where a segment begins with it. */
const yours = '(?:^(?:\\w+ )?ihre?|\\bdeine?)';

export const de: SignsOfLanguage = {
  segment: {
    'account-threat': [
      new RegExp(
        `${yours} (?:\\w+ ){0,2}(?:\\w*konto|\\w*karte|profil|zugang|zahlungsmethode|abo|paket|sendung) (?:\\w+ )?(?:wurde|ist|wird|konnte) (?:\\w+ ){0,3}(?:gesperrt|blockiert|eingeschrankt|deaktiviert|geschlossen|gehackt|geloscht|eingefroren|nicht zugestellt)\\b`,
      ),
      /\b(?:bestatigen|verifizieren|aktualisieren) sie (?:jetzt |sofort |umgehend )?ihre?n? (?:\w+ ){0,2}(?:\w*konto|identitat|passwort|\w*daten|karte|zahlungs\w*)/,
      /\b(?:bestatige|verifiziere|aktualisiere) (?:jetzt |sofort |umgehend )?deine?n? (?:\w+ ){0,2}(?:\w*konto|identitat|passwort|\w*daten|karte|zahlungs\w*)/,
      /\b(?:ungewohnliche|verdachtige) (?:anmeldung|aktivitat|aktivitaten)(?: \w+){0,3} (?:auf|in|bei) (?:ihrem|deinem) konto\b/,
    ],
    prize: [
      /\bdu hast(?: gerade| soeben)? gewonnen\b/,
      /\b(?:sie haben|du hast) (?:gerade |soeben )?(?:eine?n? )?(?:neues? |nagelneues? )?(?:iphone|samsung|gutschein|geschenk\w*|\d[\d.]* ?(?:euro|€)).{0,20}\bgewonnen\b/,
      /\bherzlichen gluckwunsch,? (?:sie|du)\b.{0,40}\b(?:gewonnen|ausgewahlt|gewinner(?:in)?)\b/,
      new RegExp(
        `${yours} (?:gewinn|preis|geschenk|gutschein)\\b.{0,20}\\b(?:wartet|abholen|sichern|(?:liegt|steht) bereit)\\b`,
      ),
      /\b(?:sie sind|du bist) (?:der |die |unser(?:e)? |heutige[rn]? |gluckliche[rn]? )*(?:gewinner|glucksgewinner|gluckspilz)(?:in)?\b/,
      /\b(?:sie wurden|du wurdest) (?:\w+ ){0,2}ausgewahlt\b/,
      /\b(?:holen sie sich|sichern sie sich|hol dir|sichere? dir) (?:jetzt )?(?:ihre?n?|deine?n?) (?:gewinn|preis|geschenk|gutschein|bonus)\b/,
    ],
    'fake-system-message': [
      new RegExp(
        `${yours} (?:\\w+ ){0,2}${device} (?:ist|wurde) (?:\\w+ ){0,3}(?:infiziert|beschadigt|gehackt|in gefahr|ungeschutzt|gesperrt|blockiert)\\b`,
      ),
      /\b(?:\d+|mehrere) (?:\w+ )?(?:viren|bedrohungen|trojaner)(?: \w+){0,3} (?:auf|in) (?:ihrem|deinem|diesem)\b/,
      new RegExp(
        `\\b(?:(?:reinigen|scannen|reparieren) sie ihre?n?|(?:reinige|scanne|repariere) deine?n?) (?:\\w+ )?${device} (?:jetzt|sofort|umgehend)\\b`,
      ),
      /\brufen sie (?:jetzt |sofort )?(?:microsoft|apple|google|windows|unser)\w*(?: \w+){0,2} (?:an|\+?\d)/,
    ],
    impersonation: [
      new RegExp(
        `${yours} (?:browser|chrome|system|android|windows|handy|iphone) ist (?:veraltet|nicht mehr aktuell|abgelaufen)\\b`,
      ),
      /\b(?:browser|system|chrome|android)-?update (?:ist )?erforderlich\b/,
    ],
    'money-doubling': [
      /\b(?:verdoppeln|verdreifachen|vervielfachen) sie (?:jetzt )?ihre?n? (?:\w+ )?(?:bitcoins?|krypto\w*|geld|einsatz|kapital|investition)\b/,
      /\b(?:verdopple|verdreifache|vervielfache) (?:jetzt )?deine?n? (?:\w+ )?(?:bitcoins?|krypto\w*|geld|einsatz|kapital|investition)\b/,
      /\b(?:senden|schicken|uberweisen) sie\b.{0,40}\b(?:btc|bitcoins?|eth|ethereum|krypto\w*)\b.{0,60}\b(?:zuruck|doppelt)\b/,
      /\bgarantierter? (?:tages)?gewinne?\b/,
    ],
  },
  whole: {
    'fake-system-message': [
      /^(?:(?:warnung|achtung|alarm|vorsicht)\W+)?(?:\d+ )?(?:virus|viren|malware|trojaner|bedrohung(?:en)?) (?:wurden? )?(?:entdeckt|gefunden|erkannt)\W*$/,
    ],
    impersonation: [
      new RegExp(
        `^(?:${makers})[- ](?:\\w+[- ])?(?:sicherheits)?(?:warnung|meldung|systemmeldung|support-team|team)\\W*$`,
      ),
      new RegExp(
        `^(?:${makers})[- ](?:\\w+[- ])?(?:sicherheits)?(?:warnung|meldung|hinweis|support) ?[:!|].*\\b(?:ihre?|deine?)\\b`,
      ),
    ],
  },
  reported: /\b(?:wie|warum|ob|wenn|was|wann|wo|wer|konnte|kann|darf|dass|falls|heisst)\b/,
};
