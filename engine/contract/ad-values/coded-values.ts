import { trimmed } from '../trimmed.ts';
import { countrySpellings, countryTable, isCountryCode } from './countries.ts';
import { MAX_SPELLING, plainSpelling } from './spelling.ts';

/** Fields whose values are one word each, whatever a network writes: so sources of one site add up. */
export const codedFields = ['country', 'device', 'media_type', 'deal_type'] as const;
export type CodedField = (typeof codedFields)[number];

export const isCodedField = (field: string): field is CodedField =>
  (codedFields as readonly string[]).includes(field);

/** A text where a country, a device or the like is expected, that is none that is known: it is kept as it is written. */
export interface StrangeValue {
  readonly field: CodedField;
  readonly value: string;
  readonly rows: number;
}

/** Value → what is read as it, beside itself: English and German, and the codes of networks' interfaces. */
const spellings: Readonly<Record<Exclude<CodedField, 'country'>, Readonly<Record<string, string>>>> = {
  device: {
    desktop:
      'desktops|desktop computer|desktop computers|desktop-pc|pc|pcs|computer|computers|personal computer|' +
      'personal computers|desktop/laptop|desktops & laptops|laptop|desk|ordinateur|ordinateurs|ordenador|ordenadores',
    mobile:
      'mobiles|mobile device|mobile devices|phone|phones|phon|mobile phone|mobile phones|smartphone|smartphones|' +
      'smart phone|high-end mobile devices|high-end mobile|HighEndMobile|feature phone|feature phones|mobilgerät|' +
      'mobilgeräte|mobiles gerät|mobile geräte|high-end-mobilgeräte|high-end mobilgeräte|mobiltelefon|mobiltelefone|' +
      'handy|handys|téléphone mobile|móvil|móviles',
    tablet:
      'tablets|tblt|tablet computer|tablet computers|tablet-pc|tablet-pcs|tablet-computer|tablette|tablettes|tableta',
    connected_tv:
      'connected tvs|connectedtv|connected television|ctv|smart tv|smart tvs|smarttv|tv|television|fernseher|' +
      'fernsehgerät|internetfähiger fernseher|internetfähige fernseher|internetfähige fernsehgeräte|tv connectée',
    set_top_box: 'set top boxes|set-top-boxen|settopbox|stb',
    game_console: 'game consoles|games console|gaming console|console|spielekonsole|spielekonsolen|konsole',
    other:
      'others|other device|other devices|sonstige|sonstige geräte|sonstiges|andere|andere geräte|autres|otros',
  },
  media_type: {
    display: 'banner|banners|display ad|display ads|display-anzeige|display-anzeigen|displayanzeigen',
    video: 'videos|video ad|video ads|videoanzeige|videoanzeigen|vidéo',
    native: 'native ad|native ads|nativ|native anzeige|native anzeigen',
  },
  deal_type: {
    'open auction': 'open auctions|offene auktion|offene auktionen|open market|open exchange',
    deal:
      'deals|private auction|private auctions|private auktion|private auktionen|preferred deal|preferred deals|' +
      'bevorzugter deal|bevorzugte deals|private marketplace|pmp',
    proposal: 'proposals|angebot|angebote',
  },
};

/** What networks write where they do not know. */
const unknown =
  'unknown|(unknown)|unbekannt|unknown region|unbekannte region|unknown country|unbekanntes land|unknown device|not set|' +
  'not available|not applicable|n/a|undefined|undetermined|keine angabe|nicht festgelegt|nicht verfügbar|inconnu|' +
  'desconocido|zz|xx';

type Spelled = readonly [code: string, texts: readonly string[]];
const ofNothing: Spelled = ['', ['', ...unknown.split('|')]];
const spelled = (field: Exclude<CodedField, 'country'>): Spelled[] =>
  Object.entries(spellings[field]).map(([code, all]) => [code, [code, ...all.split('|')]]);

/** All that is read as a value of a field. */
export function codedSpellings(field: CodedField): { readonly code: string; readonly text: string }[] {
  const known = field === 'country' ? [...countrySpellings()] : spelled(field);
  return [...known, ofNothing].flatMap(([code, all]) => all.map((text) => ({ code, text })));
}

type Table = ReadonlyMap<string, string>;

function tableOf(field: CodedField): Table {
  const known = field === 'country' ? [ofNothing] : [...spelled(field), ofNothing];
  const table = known.flatMap(([code, all]) => all.map((text) => [plainSpelling(text), code] as const));
  return new Map(field === 'country' ? [...table, ...countryTable()] : table);
}

/** As they stand in rows: the same few texts again and again, some millions of times. */
const MAX_SEEN = 10_000;
const seen: Readonly<Record<CodedField, Map<string, string | null>>> = {
  ...{ country: new Map(), device: new Map(), media_type: new Map(), deal_type: new Map() },
};
const tables = new Map<CodedField, Table>();

/**
 * The one form of a value: a country's upper-case code of ISO 3166 (alpha-2), `desktop`; empty where the text says that it
 * is not known. Null: the text spells none of the values, and is kept as it is written.
 */
export function codedValue(field: CodedField, text: string): string | null {
  const known = seen[field].get(text);
  if (known !== undefined) return known;
  const found = lookUp(field, text);
  if (seen[field].size < MAX_SEEN) seen[field].set(text, found);
  return found;
}

/** `Germany (DE)`, as Xandr writes it: only where both are one country. */
function withCode(text: string, table: Table): string | null {
  const [, name = '', code = ''] = /^([^()]+)\(([A-Za-z]{2})\)$/.exec(text) ?? [];
  const found = code === '' ? undefined : table.get(plainSpelling(code));
  return found !== undefined && table.get(plainSpelling(name)) === found ? found : null;
}

function lookUp(field: CodedField, text: string): string | null {
  // Rows from programs have nothing else, and the names take a tenth of a second.
  if (field === 'country' && (text === '' || isCountryCode(text))) return text;
  const table = tables.get(field) ?? tableOf(field);
  tables.set(field, table);
  const name = trimmed(text);
  if (name.length > MAX_SPELLING) return null;
  const found = table.get(plainSpelling(name));
  return found ?? (field === 'country' ? withCode(name, table) : null);
}
