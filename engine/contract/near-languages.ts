/**
 * What Unicode CLDR says of languages that read one another: `languageMatching` of type `written_new` in
 * common/supplemental/languageInfo.xml, as distances where 0 is the same language and 50 none that is of use.
 *
 * Of its table the relations alone whose readers read the other text as theirs: those of one language (a
 * macrolanguage with what it encompasses), and the closest neighbours. Not its second languages, such as English for
 * Bengali: a main text whose language is not stated is more probably the reader's own. Deprecated codes (iw, in, ji, mo,
 * tl) are not here, since `Intl` rewrites them.
 */
const bothWays: readonly [one: string, other: string, distance: number][] = [
  ['no', 'nb', 1],
  ['nn', 'nb', 20],
  ['nn', 'no', 20],
  ['da', 'no', 8],
  ['da', 'nb', 8],
  ['hr', 'bs', 4],
  // CLDR has them of `sh`, which `Intl` writes as Serbian in Latin letters: their script keeps Cyrillic apart.
  ['sr', 'bs', 4],
  ['sr', 'hr', 4],
  ['ssy', 'aa', 4],
];

const ENCOMPASSED = 10;
/** By the language that their readers read as well; not the other way round. */
const oneWay: Readonly<Record<string, string>> = {
  ar:
    'aao abh abv acm acq acw acx acy adf aeb aec afb ajp apc apd arq ars ary arz auz avl ayh ayl ayn ayp bbz pga shu ' +
    'ssh',
  az: 'azb',
  de: 'gsw lb',
  et: 'vro',
  fa: 'prs pes',
  lv: 'ltg',
  ms: 'bjn btj bve bvu coa dup hji jak jax kvb kvr kxd lce lcf liw max meo mfa mfb min mqg msi mui orn ors pel pse tmw urk vkk vkt xmm zlm zmi',
  sq: 'aae aat aln',
  sw: 'swc swh',
  uz: 'uzs',
  yi: 'yih',
  zh: 'cdo cjy cpx czh czo gan hak hsn lzh mnp nan wuu yue',
};

const near = new Map<string, number>([
  ...bothWays.flatMap(([one, other, distance]): [string, number][] => [
    [`${one} ${other}`, distance],
    [`${other} ${one}`, distance],
  ]),
  ...Object.entries(oneWay).flatMap(([read, readers]) =>
    readers.split(' ').map((reader): [string, number] => [`${reader} ${read}`, ENCOMPASSED]),
  ),
]);

/** Null: the reader reads another language. */
export const languageDistance = (reader: string, text: string): number | null =>
  reader === text ? 0 : (near.get(`${reader} ${text}`) ?? null);

const OTHER_SCRIPT = 50;
const scripts: Readonly<Record<string, number>> = {
  'Hans Hant': 15,
  'Hant Hans': 19,
  'sr Latn Cyrl': 5,
  'sr Cyrl Latn': 5,
};

/**
 * Readers of simplified Chinese read the other script better than the other way round; most Serbs read both of theirs.
 * @param language of both; null where the text's is another one.
 */
export const scriptDistance = (language: string | null, reader: string, text: string): number =>
  reader === text
    ? 0
    : (scripts[`${reader} ${text}`] ?? scripts[`${language} ${reader} ${text}`] ?? OTHER_SCRIPT);

const americas = [
  '419',
  'AG AI AR AW BB BL BM BO BQ BR BS BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GT GY HN HT JM',
]
  .concat('KN KY LC MF MQ MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI')
  .flatMap((each) => each.split(' '));
/** Regions of one language whose varieties are closer to each other than to those of all others. */
const clusters: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set('AS GU MH MP PR UM US VI'.split(' ')),
  es: new Set(americas),
  pt: new Set(americas),
  zh: new Set(['HK', 'MO']),
  ar: new Set(['MA', 'DZ', 'TN', 'LY', 'MR', 'EH']),
};
/** What stands for the varieties of its side. */
const models: ReadonlySet<string> = new Set(['en GB', 'en 001', 'es 419', 'pt PT']);

export function regionDistance(language: string, reader: string, text: string): number {
  if (reader === text) return 0;
  const cluster = clusters[language];
  if (cluster !== undefined && cluster.has(reader) !== cluster.has(text)) return 5;
  return models.has(`${language} ${text}`) ? 3 : 4;
}
