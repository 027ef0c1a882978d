import { CliError } from '../../../engine/command-line/endings.ts';
import type { RecordRules } from '../../../engine/command-line/file/records.ts';
import type { Source } from './sources/source.ts';

const required = [['endpoint'], ['p256dh'], ['auth']];

/** @throws CliError: without these columns every line would be refused. */
export function rulesOf(source: Source | null): RecordRules {
  const nameOf = source?.nameOf ?? ((name) => name);
  return {
    headerOf: (names) => {
      const header = names.map((name) => name.trim());
      const given = new Set(header.map(nameOf));
      const missing = (source?.columns ?? required).filter(
        (column) => !column.some((name) => given.has(name)),
      );
      if (missing.length === 0) return header;
      if (header.some((name) => name.includes('\0')))
        throw new CliError('the file is in UTF-16: save it as UTF-8');
      const named = missing.map(([name]) => name).join(', ');
      const how = source === null ? 'it must name the fields' : source.howToGetThem;
      throw new CliError(`the first line of the CSV names no ${named}: ${how}`);
    },
    parseJson: JSON.parse,
    mayBeList: source !== null,
  };
}

export const subscriptionRules: RecordRules = rulesOf(null);
