import { makers, type SignsOfLanguage } from './language.ts';

const device =
  '(?:phone|smartphone|device|computer|pc|laptop|mac|iphone|android|ipad|tablet|system|browser|battery)';

export const en: SignsOfLanguage = {
  segment: {
    'account-threat': [
      /\byour (?:\w+ ){0,3}(?:accounts?|card|profile|wallet|access|payment method|subscription) (?:\w+ )?(?:has been|have been|is|was|will be|is being) (?:\w+ ){0,2}(?:suspended|locked|blocked|limited|restricted|closed|deactivated|disabled|hacked|compromised|terminated|deleted|frozen|on hold)\b/,
      /\b(?:verify|confirm|validate|update) your (?:\w+ ){0,2}(?:account|identity|password|card|bank|payment|billing)(?: \w+){0,3} (?:now|immediately|today|at once|within|to avoid)\b/,
      /\b(?:unusual|suspicious) (?:sign-?in|log-?in|activity)(?: \w+){0,3} (?:on|in|to) your account\b/,
      /\byour (?:parcel|package|delivery) (?:\w+ ){0,2}(?:is on hold|is held|could not be delivered|is waiting)\b/,
    ],
    prize: [
      /\byou(?: have|'ve)(?: just)? won\b(?!')/,
      /\byou won (?:a |an |the )?(?:new |free )?(?:prize|gift|voucher|iphone|jackpot|car\b|\S?\d)/,
      /\byou(?: are|'re) (?:the |our |today's |a )?(?:lucky |\d+\S* )*(?:winner|visitor)\b/,
      /\bcongratulations,? you\b.{0,40}\b(?:won|winner|prize|selected|chosen|reward|gift)\b/,
      /\b(?:claim|collect|redeem) your (?:\w+ ){0,2}(?:prize|reward|gift|voucher|iphone|winnings|bonus)\b/,
      /\byou have been (?:randomly )?(?:selected|chosen) (?:to|for|as)\b/,
    ],
    'fake-system-message': [
      new RegExp(
        `\\b(?:your|this) (?:\\w+ ){0,2}${device} (?:is|has been) (?:\\w+ ){0,2}(?:infected|damaged|compromised|hacked|in danger|unprotected|blocked|locked)\\b`,
      ),
      /\b(?:\d+|several|multiple) (?:\w+ )?(?:virus(?:es)?|threats|trojans|malware)(?: \w+){0,3} (?:on|in) (?:your|this)\b/,
      new RegExp(`\\b(?:clean|scan|repair) (?:your|this) (?:\\w+ )?${device} (?:now|immediately|today)\\b`),
      /\bcall (?:microsoft|apple|google|windows|our)(?: \w+){0,2} (?:now|immediately|toll|at \+?\d)/,
    ],
    impersonation: [
      /\byour (?:browser|chrome|system|phone|android|windows|iphone) (?:version )?(?:is|has become) (?:out of date|outdated|no longer supported)\b/,
      /\b(?:browser|system|chrome|android) update (?:is )?required\b/,
    ],
    'money-doubling': [
      /\b(?:double|triple|multiply) your (?:\w+ )?(?:bitcoins?|crypto|btc|eth|ethereum|money|investment|savings|coins?)\b/,
      /\b(?:send|deposit)\b.{0,40}\b(?:btc|bitcoins?|eth|ethereum|crypto|usdt)\b.{0,40}\b(?:get|receive)\b.{0,30}\b(?:back|double|twice)\b/,
      /\bguaranteed (?:daily |weekly |monthly )?profits?\b/,
    ],
  },
  whole: {
    'fake-system-message': [
      /^(?:(?:warning|alert|attention|danger|critical)\W+)?(?:\d+ )?(?:virus(?:es)?|malware|trojans?|threats?|spyware) (?:was |were |has been )?(?:detected|found)\W*$/,
    ],
    impersonation: [
      new RegExp(
        `^(?:${makers})(?: \\w+)? (?:alert|warning|message|notification|defender|security center|support team|security team)\\W*$`,
      ),
      new RegExp(
        `^(?:${makers})(?: \\w+){0,2} (?:alert|warning|message|notification|notice|security|support) ?[:!|].*\\byour\\b`,
      ),
    ],
  },
  reported: /\b(?:how|why|whether|if|what|when|where|could|may|might|can|says?|said|claims?|that)\b/,
};
