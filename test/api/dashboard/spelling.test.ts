// tier: unit
import { describe, expect, it } from 'vitest';
import { catalogues, type Language, type Leaf, leavesOf, said, saidOfOne } from './text-leaves.ts';

interface Rule {
  readonly not: RegExp;
  readonly because: string;
}

/** What is code stands as code is written. */
const CODE =
  /<[^>]*>|"[^"]*"|\{[^}]*\}|https?:\/\/\S+|script-src.*|worker-src.*|\b\w+=\w+|\bprompt: .*?\} |7\|abc…/g;

const everywhere: readonly Rule[] = [
  { not: /[a-z]'[a-z]/i, because: 'an apostrophe is ’' },
  { not: /\.\.\./, because: 'an ellipsis is one sign' },
  { not: /\S {2,}\S/, because: 'one space is enough' },
  { not: / [,.](?!\w)/, because: 'no space before a comma or a full stop' },
  { not: /\(s\)/, because: 'a plural is a word of its own' },
];

const rules: Readonly<Record<Language, readonly Rule[]>> = {
  en: [
    { not: /[\d}]\s%/, because: 'English has no space before %' },
    { not: /[„«»]/, because: 'quotation marks are “…”' },
    { not: /\s[;:?!]/, because: 'no space before a mark' },
  ],
  de: [
    { not: /\d %|\d%/, because: 'a no-break space stands before %' },
    { not: /[”«»]|“[\p{L}\d]/u, because: 'quotation marks are „…“' },
    { not: /\s[;:?!]/, because: 'no space before a mark' },
    { not: /(?<=\p{L})…/u, because: 'a space stands before an ellipsis that stands for words' },
    {
      not: /\b(du|dich|dir|dein\p{L}*|euch|euer\p{L}*|eure\p{L}*)\b/iu,
      because: 'readers are addressed as Sie',
    },
  ],
  fr: [
    { not: /(?<![\u202f])[;?!%»](?!\w)/, because: 'a narrow no-break space stands before ; ? ! % and »' },
    { not: /[^\u202f\d]:(?=\s|$)|\d:\s/, because: 'a narrow no-break space stands before a colon' },
    { not: /«(?!\u202f)/, because: 'a narrow no-break space stands after «' },
    { not: /[„“”]/, because: 'quotation marks are « … »' },
    { not: /\p{L}\s…(?=$|:)/u, because: 'an ellipsis stands at its word' },
    { not: /\d \d{3}\b/, because: 'thousands are kept together' },
    { not: /(?<!\p{L})(tu|toi|ton|tes|tien\p{L}*)(?!\p{L})/iu, because: 'readers are addressed as vous' },
  ],
  es: [
    { not: /\d %|\d%/, because: 'a no-break space stands before %' },
    { not: /[„“”]|«\s|\s»/, because: 'quotation marks are «…»' },
    { not: /\s[;:?!]/, because: 'no space before a mark' },
    { not: /^[^¿]*\?|\?[^¿]*\?/, because: 'a question begins with ¿' },
    { not: /^[^¡]*!/, because: 'an exclamation begins with ¡' },
    { not: /\p{L}\s…(?=$|[:.])/u, because: 'an ellipsis stands at its word' },
    {
      not: /(?<!\p{L})(tú|tu|tus|te|ti|contigo|vosotros|vuestr\p{L}+|escribes|eliges|envías|guardas|quieres|puedes|has|tienes|eres|debes)(?!\p{L})/iu,
      because: 'readers are addressed as usted',
    },
    {
      not: /(^|[.:] )(?!Abre$)(Elige|Escribe|Abre|Introduce|Añade|Haz|Pon|Pulsa|Pega|Copia|Crea|Cambia|Guarda|Comprueba|Selecciona|Indica|Prueba (?=un|el|la|de)|Vuelve|Inténtalo|Espera (?=un|a que))(?!\p{L})/u,
      because: 'readers are addressed as usted',
    },
  ],
};

/** Of each language, what counts of readers and the like are called where there are many. */
const many: Readonly<Record<Language, RegExp>> = {
  en: /\b1 (\w+ )?(readers|messages|subscribers|subscriptions|deliveries|items|rows|drafts|days|hours|minutes|seconds|times|attempts|variants|conditions|sites|apps|zones)\b/,
  de: /\b1 (\w+ )?(Lesern|Nachrichten|Sendungen|Beiträge|Zeilen|Entwürfe|Tage|Stunden|Minuten|Sekunden|Versuche|Abonnements|Zeitzonen)\b/,
  fr: /\b1 (\w+ )?(lecteurs|messages|abonnés|abonnements|envois|articles|lignes|brouillons|jours|heures|minutes|secondes|tentatives|conditions|sites|fuseaux)\b/,
  es: /\b1 (\w+ )?(lectores|mensajes|suscriptores|suscripciones|envíos|artículos|filas|borradores|días|horas|minutos|segundos|veces|intentos|sitios|zonas)\b/,
};
/** Numbers that are never one: fixed periods, and what is told from a threshold on. */
const NEVER_ONE =
  /^(alerts\.(more|happened\.)|prompts\.|standing\.(limited|permissionsAbout|prune)|tests\.(addAbout|addHere)|welcome\.(results|days)|rule\.full|compose\.(stepVariants|takesFrom)|audit\.did\.)/;

function faultsOf(language: Language, path: string, leaf: Leaf): string[] {
  const prose = said(leaf, 3).replace(CODE, 'x').replace('x: x', 'x');
  return [...everywhere, ...rules[language]]
    .filter(({ not }) => not.test(prose))
    .map(({ because }) => `${path}: ${because}: ${prose}`);
}

describe.each(Object.keys(catalogues) as Language[])('the texts in %s', (language) => {
  const leaves = [...leavesOf(catalogues[language])];

  it('keep to the rules of its typography, and to one form of address', () => {
    expect(leaves.flatMap(([path, leaf]) => faultsOf(language, path, leaf))).toEqual([]);
  });

  it('count one as one', () => {
    const wrong = leaves.filter(
      ([path, leaf]) =>
        typeof leaf !== 'string' &&
        !NEVER_ONE.test(path) &&
        saidOfOne(leaf).some((text) => many[language].test(text)) &&
        saidOfOne(leaf).every((text) => many[language].test(text)),
    );
    expect(
      wrong.map(([path, leaf]) => `${path}: ${saidOfOne(leaf)[0]}`).filter((line) => /\b1 /.test(line)),
    ).toEqual([]);
  });
});

it('finds each fault', () => {
  const wrong: readonly [Language, string][] = [
    ['en', "It's done"],
    ['en', '95 %'],
    ['de', '“so”'],
    ['de', 'Speichere deine Entwürfe'],
    ['fr', 'Vraiment ?'],
    ['fr', 'Facteur: deux'],
    ['fr', 'Chargement …'],
    ['es', 'Seguro?'],
    ['es', 'Elige una hora.'],
    ['es', 'mientras escribes'],
  ];
  for (const [language, text] of wrong) expect(faultsOf(language, '', text), text).not.toEqual([]);
  expect(saidOfOne((count) => `${count} rows`).every((text) => many.en.test(text))).toBe(true);
});
