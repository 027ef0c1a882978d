import { CliError } from '../../../engine/command-line/endings.ts';
import { type AdField, adFieldAliases, adFields } from '../../../engine/contract/ad-stats.ts';

/** Which column of a file holds which field. */
export interface ColumnRules {
  /** Column → field, from `--map`. */
  readonly mapped: ReadonlyMap<string, AdField>;
  /** Columns that are passed over. */
  readonly ignored: ReadonlySet<string>;
}

/** `--map "Revenue (net)=earnings"`, and `--ignore "a,b"`. @throws CliError in one line. */
export function parseColumnRules(maps: readonly string[], ignore: string | undefined): ColumnRules {
  const mapped = new Map<string, AdField>();
  for (const map of maps) {
    const at = map.lastIndexOf('=');
    const field = fieldNamed(map.slice(at + 1).trim());
    if (at < 1 || field === null) {
      throw new CliError(`--map "${map}" must be "column=field", with a field of ${adFields.join(', ')}`);
    }
    mapped.set(map.slice(0, at).trim(), field);
  }
  const ignored = new Set((ignore ?? '').split(',').map((name) => name.trim()));
  return { mapped, ignored };
}

/** @returns the field, null where the column is skipped, 'unknown' where it is not mapped. */
export function fieldOf(column: string, { mapped, ignored }: ColumnRules): AdField | null | 'unknown' {
  const name = column.trim();
  return mapped.get(name) ?? (ignored.has(name) ? null : (fieldNamed(name) ?? 'unknown'));
}

function fieldNamed(name: string): AdField | null {
  const lower = name.toLowerCase();
  return adFields.find((field) => field === lower) ?? adFieldAliases[lower] ?? null;
}

/**
 * The fields of a CSV's or Parquet file's columns, in their order; null: skipped.
 * @throws CliError: an unknown column may be a misspelt one, and all its figures would be lost.
 */
export function fieldsOf(columns: readonly string[], rules: ColumnRules): (AdField | null)[] {
  const found = columns.map((column) => fieldOf(column, rules));
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
