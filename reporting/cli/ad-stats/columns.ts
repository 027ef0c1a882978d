import { type AdField, adFieldAliases } from '../../../engine/contract/ad-stats.ts';
import { trimmed } from '../../../engine/contract/trimmed.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { type FileField, fileFields } from './fields.ts';
import { type Profile, plainName } from './profiles.ts';
import { currenciesOf } from './values/number.ts';

/** Which column of a file holds which field. */
export interface ColumnRules {
  /** Column → field, from `--map` and the source. */
  readonly mapped: ReadonlyMap<string, FileField>;
  /** Lists of columns that are ignored, separated by commas; a name may hold some itself. */
  readonly ignored: readonly string[];
  /** What a network calls its columns. */
  readonly profile?: Profile | null;
  /** Whether the operator or the source says what amounts are in. */
  readonly hasCurrency?: boolean;
}

/** `--map "Revenue (net)=earnings"`, and `--ignore "a,b"`. @throws CliError in one line. */
export function parseColumnRules(
  maps: readonly string[],
  ignored: readonly string[],
  profile: Profile | null = null,
  hasCurrency = false,
): ColumnRules {
  const mapped = new Map<string, FileField>();
  for (const map of maps) {
    const at = map.lastIndexOf('=');
    const field = fieldNamed(trimmed(map.slice(at + 1)));
    if (at < 1 || field === null) {
      throw new CliError(`--map "${map}" must be "column=field", with a field of ${fileFields.join(', ')}`);
    }
    mapped.set(trimmed(map.slice(0, at)), field);
  }
  return { mapped, ignored, profile, hasCurrency };
}

/** Of the columns of a file, or of the names of a line. */
export interface ColumnPlan {
  /** By name; null: it is skipped. A name that is missing is not known. */
  readonly fields: ReadonlyMap<string, FileField | null>;
  /** What figures of a field are multiplied by, as its column's name says: some networks write millionths. */
  readonly scale: Readonly<Partial<Record<AdField, string>>>;
  /** Which currencies the name of the amounts' column may mean: `Revenue (USD)`, `Revenue ($)`. Empty: it says none. */
  readonly currencies: readonly string[];
  /** Columns of a network's file that no field is for. */
  readonly leftOut: readonly string[];
}

/** What all columns together mean; a network's profile chooses among several that would be one field. */
export function planColumns(columns: readonly string[], rules: ColumnRules): ColumnPlan {
  const all = new Set(columns.map(trimmed));
  const skipped = new Set(rules.ignored.flatMap((list) => namesIn(list, all)));
  const fields = new Map<string, FileField | null>();
  const open: string[] = [];
  for (const column of columns) {
    const name = trimmed(column);
    const field = rules.mapped.get(name) ?? (skipped.has(name) ? null : undefined);
    if (field !== undefined) fields.set(column, field);
    else open.push(column);
  }
  const { scale, leftOut } = planOpen(open, rules, fields);
  const money = columns.find((column) => fields.get(column) === 'earnings');
  return { fields, scale, currencies: money === undefined ? [] : currenciesIn(money), leftOut };
}

/** Those that neither `--map` nor `--ignore` names. */
function planOpen(
  open: readonly string[],
  { profile = null }: ColumnRules,
  fields: Map<string, FileField | null>,
): Pick<ColumnPlan, 'scale' | 'leftOut'> {
  const scale: Partial<Record<AdField, string>> = {};
  const leftOut: string[] = [];
  const plain = new Map(open.map((column) => [plainName(column), column]));
  const taken = new Set(fields.values());
  for (const { field, names, scale: factor } of profile?.columns ?? []) {
    if (taken.has(field)) continue;
    const found = names.find((name) => plain.has(name));
    if (found === undefined) continue;
    taken.add(field);
    fields.set(plain.get(found) as string, field);
    if (factor !== undefined && field !== 'hour') scale[field] = factor;
  }
  for (const column of open) {
    if (fields.has(column) || isNameless(column)) continue;
    const own = fieldNamed(trimmed(column));
    if (own !== null && !(profile !== null && taken.has(own))) fields.set(column, own);
    else if (profile !== null) {
      fields.set(column, null);
      leftOut.push(column);
    }
  }
  return { scale, leftOut };
}

/** The currency in a column's name: `Revenue (USD)`, `Umsatz (€)`, `Earnings EUR`. */
function currenciesIn(column: string): readonly string[] {
  const [, sign] = /[([]\s?([^()[\]\s]{1,4})\s?[)\]]\s?$/.exec(column) ?? /\s([A-Z]{3})$/.exec(column) ?? [];
  return sign === undefined ? [] : currenciesOf(sign);
}

/** The names of a list, each as long as a column there is: `Fill,Total CPM, CPC and CPD` may be two. */
function namesIn(list: string, columns: ReadonlySet<string>): string[] {
  const parts = list.split(',');
  const names: string[] = [];
  for (let first = 0; first < parts.length; ) {
    let end = parts.length;
    while (end > first + 1 && !columns.has(trimmed(parts.slice(first, end).join(',')))) end--;
    names.push(trimmed(parts.slice(first, end).join(',')));
    first = end;
  }
  return names;
}

function fieldNamed(name: string): FileField | null {
  const lower = name.toLowerCase();
  const alias = Object.hasOwn(adFieldAliases, lower) ? adFieldAliases[lower] : undefined;
  return fileFields.find((field) => field === lower) ?? alias ?? null;
}

/** What a column without a name is called: the end of a header that ends with a comma. */
export const NAMELESS = 'a column without a name';
const isNameless = (name: string): boolean => name.startsWith(NAMELESS);

/** The names of a CSV's columns, each of them once. */
export const namedColumns = (names: readonly string[]): string[] =>
  names.map((name, index) => trimmed(name) || `${NAMELESS} ${index + 1}`);

/**
 * How well names would do as the header of a file: how many of them are known, once there is a day among them. 0: they are not
 * a header.
 */
export function knownColumns(names: readonly string[], rules: ColumnRules): number {
  const { fields, leftOut } = planColumns(namedColumns(names), rules);
  const found = [...fields].filter(([column, field]) => field !== null || !leftOut.includes(column));
  return found.some(([, field]) => field === 'at' || field === 'hour') ? found.length : 0;
}

/**
 * The fields of a CSV's, a sheet's or a Parquet file's columns.
 * @throws CliError: an unknown column may be a misspelt one, and all its figures would be lost.
 */
export function checkedColumns(columns: readonly string[], rules: ColumnRules): ColumnPlan {
  const plan = planColumns(columns, rules);
  const unknown = columns.filter((column) => !plan.fields.has(column) && !isNameless(column));
  if (unknown.length > 0) throw new CliError(unknownColumns(unknown));
  const twice = columns.find((column, index) => columns.indexOf(column) !== index && plan.fields.get(column));
  if (twice !== undefined)
    throw new CliError(
      `two columns are named "${twice}", and nothing says which one counts: remove one of them`,
    );
  const fields = [...plan.fields.values()].filter((field) => field !== null);
  const double = fields.find((field, index) => fields.indexOf(field) !== index);
  if (double !== undefined) throw new CliError(`two columns are "${double}": --ignore one of them`);
  if (!fields.includes('at') && !fields.includes('hour'))
    throw new CliError(
      `no column is "at" (or "day"), and every row needs its day: --map the one that has it. There are "${columns.slice(0, 10).join('", "')}"`,
    );
  // In a network's file, what is left out must not be what the file is imported for.
  const missing = (['impressions', 'earnings'] as const).filter((field) => !fields.includes(field));
  const strange = plan.leftOut.filter((column) => !rules.profile?.ignored.includes(plainName(column)));
  if (strange.length > 0 && missing.length > 0) throw new CliError(missingFigures(missing, strange, rules));
  const currency = strange.find((column) => /currency|währung|devise|moneda/i.test(column));
  if (
    currency !== undefined &&
    !rules.hasCurrency &&
    !fields.includes('currency') &&
    plan.currencies.length === 0
  )
    throw new CliError(
      `"${currency}" may be the currency of the amounts: --map "${currency}=currency", --currency with its code, or --ignore it`,
    );
  return plan;
}

const unknownColumns = (unknown: readonly string[]): string =>
  `unknown column "${unknown.slice(0, 10).join('", "')}": map it (--map "${unknown[0]}=…") or --ignore it. ` +
  `The fields are ${fileFields.join(', ')}`;

const missingFigures = (
  missing: readonly ('impressions' | 'earnings')[],
  leftOut: readonly string[],
  { profile }: ColumnRules,
): string =>
  `no column is ${missing.join(' or ')} by the profile ${profile?.name ?? ''}, and "${leftOut.slice(0, 10).join('", "')}" ` +
  `may be it: --map "${likeliest(leftOut, missing[0])}=${missing[0]}", or --ignore them`;

const looksLike: Readonly<Record<'impressions' | 'earnings', RegExp>> = {
  impressions: /imp|einblend|display/i,
  earnings: /revenue|earning|umsatz|erlös|einnahme|payout|ingreso|revenu|money/i,
};

const likeliest = (columns: readonly string[], field: 'impressions' | 'earnings' | undefined): string =>
  columns.find((column) => field !== undefined && looksLike[field].test(column)) ?? columns[0] ?? '';
