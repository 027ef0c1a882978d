import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { RecordRules } from '../../../engine/kit/command-line/file/records.ts';
import type { Source } from './sources/source.ts';
import { knownFields } from './unknown-fields.ts';

const required = [['endpoint'], ['p256dh'], ['auth']];

/** @throws CliError: without these columns every line would be refused. */
export function rulesOf(source: Source | null): RecordRules {
  const nameOf = source?.nameOf ?? ((name) => name);
  return {
    headerOf: (names) => {
      const isKnown = (name: string): boolean => (source?.known ?? knownFields).has(nameOf(name));
      const header = inSmallLetters(
        names.map((name) => name.trim()),
        isKnown,
      );
      const twice = header.find((name, at) => header.indexOf(name) < at && isKnown(name));
      if (twice !== undefined)
        throw new CliError(`the first line of the CSV names ${twice} twice: which one counts?`);
      const given = new Set(header.map(nameOf));
      const missing = (source?.columns ?? required).filter(
        (column) => !column.some((name) => given.has(name)),
      );
      if (missing.length === 0) return header;
      if (header.some((name) => name.includes('\0')))
        throw new CliError('the file is in UTF-16: save it as UTF-8');
      const separator = separatorOf(names);
      if (separator !== null)
        throw new CliError(
          `the first line of the CSV is cut by ${separator}, and not by commas: open it in a spreadsheet, and save it as CSV in UTF-8 with the comma as its field delimiter`,
        );
      const named = missing.map(([name]) => name).join(', ');
      const how = source === null ? 'it must name the fields' : source.howToGetThem;
      throw new CliError(`the first line of the CSV names no ${named}: ${how}`);
    },
    parseJson: JSON.parse,
    mayBeList: source !== null,
  };
}

/** A column that is known except for its capitals, where no other one has its name. */
const inSmallLetters = (header: readonly string[], isKnown: (name: string) => boolean): string[] =>
  header.map((name) => {
    const small = name.toLowerCase();
    return !isKnown(name) && isKnown(small) && !header.includes(small) ? small : name;
  });

/** Spreadsheets of countries that write 1,5 save with semicolons. Null: it is cut by commas, as far as one can see. */
function separatorOf(names: readonly string[]): string | null {
  const cuts = Object.entries(separators).map(([words, mark]) => ({
    words,
    columns: names.join(',').split(mark).length,
  }));
  const [most] = cuts.toSorted((one, other) => other.columns - one.columns);
  return most !== undefined && most.columns > names.length ? most.words : null;
}

const separators = { semicolons: ';', tabs: '\t', bars: '|' } as const;

export const subscriptionRules: RecordRules = rulesOf(null);
