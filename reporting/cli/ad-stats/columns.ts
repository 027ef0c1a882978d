import { type AdField, adFieldAliases, adFields } from '../../../engine/contract/ad-stats.ts';
import { trimmed } from '../../../engine/contract/trimmed.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';

/** Which column of a file holds which field. */
export interface ColumnRules {
  /** Column → field, from `--map`. */
  readonly mapped: ReadonlyMap<string, AdField>;
  /** Lists of columns that are ignored, separated by commas; a name may hold some itself. */
  readonly ignored: readonly string[];
}

/** `--map "Revenue (net)=earnings"`, and `--ignore "a,b"`. @throws CliError in one line. */
export function parseColumnRules(maps: readonly string[], ignored: readonly string[]): ColumnRules {
  const mapped = new Map<string, AdField>();
  for (const map of maps) {
    const at = map.lastIndexOf('=');
    const field = fieldNamed(trimmed(map.slice(at + 1)));
    if (at < 1 || field === null) {
      throw new CliError(`--map "${map}" must be "column=field", with a field of ${adFields.join(', ')}`);
    }
    mapped.set(trimmed(map.slice(0, at)), field);
  }
  return { mapped, ignored };
}

/**
 * @param columns all names beside which it stands.
 * @returns the field, null where the column is skipped, 'unknown' where it is not mapped.
 */
export function fieldOf(
  column: string,
  { mapped, ignored }: ColumnRules,
  columns: readonly string[],
): AdField | null | 'unknown' {
  const name = trimmed(column);
  const field = mapped.get(name);
  if (field !== undefined) return field;
  const all = new Set(columns.map(trimmed));
  return ignored.some((list) => namesIn(list, all).includes(name)) ? null : (fieldNamed(name) ?? 'unknown');
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

function fieldNamed(name: string): AdField | null {
  const lower = name.toLowerCase();
  const alias = Object.hasOwn(adFieldAliases, lower) ? adFieldAliases[lower] : undefined;
  return adFields.find((field) => field === lower) ?? alias ?? null;
}

/** What a column without a name is called: the end of a header that ends with a comma. */
export const NAMELESS = 'a column without a name';
const isNameless = (name: string): boolean => name.startsWith(NAMELESS);

/** The names of a CSV's columns, each of them once. */
export const namedColumns = (names: readonly string[]): string[] =>
  names.map((name, index) => trimmed(name) || `${NAMELESS} ${index + 1}`);

/**
 * The fields of a CSV's or Parquet file's columns, in their order; null: skipped.
 * @throws CliError: an unknown column may be a misspelt one, and all its figures would be lost.
 */
export function fieldsOf(columns: readonly string[], rules: ColumnRules): (AdField | null)[] {
  const found = columns.map((column) => (isNameless(column) ? null : fieldOf(column, rules, columns)));
  const unknown = columns.filter((_, index) => found[index] === 'unknown');
  if (unknown.length > 0) {
    throw new CliError(
      `unknown column "${unknown.slice(0, 10).join('", "')}": map it (--map "${unknown[0]}=…") or --ignore it. ` +
        `There are ${adFields.join(', ')}`,
    );
  }
  const fields = found.filter((field) => field !== null && field !== 'unknown');
  const double = fields.find((field, index) => fields.indexOf(field) !== index);
  if (double !== undefined) throw new CliError(`two columns are "${double}": --ignore one of them`);
  if (!fields.includes('at')) throw new CliError('no column is "at" (or "day"): every row needs its day');
  return found.map((field) => (field === 'unknown' ? null : field));
}
