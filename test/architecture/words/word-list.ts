/** A word that readers stumble over, as a pattern over the text without its code, and what to write instead. */
export interface Word {
  readonly not: RegExp;
  readonly use: string;
}

/** What Google's developer style guide (developers.google.com/style/word-list) decides by the word alone. */
const google: readonly Word[] = [
  { not: /\bplease\b/i, use: 'nothing: a request needs no please' },
  { not: /\bvia\b/i, use: 'through, by or with' },
  { not: /\be\.g\./i, use: 'for example' },
  { not: /\bi\.e\./i, use: 'that is' },
  { not: /(?<!\/)\betc\b(?!\/)/i, use: 'and so on, or name them' },
  { not: /\bvice versa\b/i, use: 'the other way round' },
  { not: /\bad hoc\b/i, use: 'what is meant' },
  { not: /\band\/or\b/i, use: 'or, or both' },
  { not: /\bsimply\b|\beasily\b|\bobviously\b|\bof course\b/i, use: 'nothing: leave it out' },
  { not: /\butili[sz]e[sd]?\b|\bleverag(e|es|ed|ing)\b/i, use: 'use' },
  { not: /\bin order to (?!any)/i, use: 'to' },
  {
    not: /\bclick(s|ed)? here\b|\bclicks? on the (button|link|menu|icon|tab|prompt)/i,
    use: 'click, and name what',
  },
  { not: /\b(white|black)-?list(s|ed)?\b/i, use: 'allowlist or denylist' },
  { not: /\bsanity[ -]check/i, use: 'check' },
  { not: /\bslaves?\b/i, use: 'replica' },
  { not: /\bdummy\b/i, use: 'placeholder' },
  { not: /\ballows? to\b/i, use: 'lets you' },
  { not: /\bwhilst\b|\bamongst\b|\bthereby\b|\bhence\b|\bthus\b|\bhereby\b/i, use: 'while, among, so' },
  { not: /\w\(s\)(?!\w)/, use: 'the plural' },
  {
    not: /\b(dont|doesnt|didnt|isnt|arent|wasnt|cant|couldnt|theyre|youre|thats)\b/i,
    use: 'an apostrophe in it',
  },
];

/** Our own slips: words that had a meaning here alone, or stood for the field's word. */
const own: readonly Word[] = [
  { not: /\bmend(s|ed|ing)?\b/i, use: 'fix' },
  { not: /\banew\b/i, use: 'again' },
  { not: /\bpass(es|ed)? over(?! (it|the|a|its)\b)/i, use: 'ignore or skip' },
  {
    not: /(?<!there )\b(is|are|was|were) no (?!longer|more\b|one\b|other|different|better|worse|doubt|end\b|way\b|reason\b|where\b|faster|slower|larger|smaller|dearer|later)[a-z]+/i,
    use: 'is not a …',
  },
  { not: /(?<=[,;] )else (?!if\b)|(?<=[.] |^)Else (?!if\b)/, use: 'otherwise' },
  {
    not: /(?<!browser that |reader |brokers |you |everything )\b(is|are|was|were) away\b(?! from| for long)/i,
    use: 'is unavailable, or does not answer',
  },
  { not: /\bbut for\b/i, use: 'except for' },
  { not: /\bfor good\b(?! reason)/i, use: 'permanently' },
  { not: /\bin clear\b/i, use: 'in plain text' },
  { not: /\bnothing doubles\b|\bdoubles nothing\b/i, use: 'nothing is duplicated' },
  { not: /(?<=\b(list|change|remove|of|above|as|from|not|for|to) )one[’']s\b|\boneself\b/i, use: 'your' },
  { not: /\blook(s|ed|ing)? at\b/i, use: 'check, read or see' },
  { not: /\basks? back\b|\basked back\b/i, use: 'ask for confirmation' },
  { not: /\bthis takes the (ability|role)\b/i, use: 'requires' },
  { not: /\bso (many|long) (?!as\b|that\b)(?=\w)/i, use: 'the number, or how long' },
  { not: /\bat hand\b/i, use: 'available' },
];

/** Names that things of ours had, where the field has a word. */
const renamed: readonly Word[] = [
  {
    not: /(?<=\b(a|the|its|each|one|every|of|two) )ways? to (an|the|that|its) origins?\b/i,
    use: 'origin health',
  },
  { not: /\bletterheads?\b/i, use: 'shared headers' },
  { not: /\bdoubtful\b/i, use: 'on probation' },
  { not: /\bstruck\b/i, use: 'invalid' },
  { not: /\bhalt(s|ed|ing)?\b/i, use: 'pause or stop' },
  {
    not: /\b(alerts?|webhooks?|invitations?) (and|or) letters\b|\b(send|sends|sent|write|writes|gets|ignore this|without a|by a) letters?\b(?! (of|or|that))/i,
    use: 'e-mail',
  },
  { not: /(?<=\bchannel )boards?\b|\bon the board\b/i, use: 'channel state' },
  {
    not: /\b(a|the next|next|the first|the last|earlier|failed) looks?\b(?! (for|into|through|up|alike|like|as)\b)/i,
    use: 'check or poll',
  },
  { not: /\blook-ups?\b/i, use: 'lookup' },
];

export const words: readonly Word[] = [...google, ...own, ...renamed];
