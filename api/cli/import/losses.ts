import { type FileHandle, open } from 'node:fs/promises';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { refuseInput } from '../../../engine/kit/command-line/file/source.ts';
import { number } from '../../../engine/kit/command-line/numbers.ts';

/** Lines of one reason. */
export interface Loss {
  readonly reason: string;
  readonly lines: number;
  /** The first of them. */
  readonly first: readonly { readonly line: number; readonly text: string }[];
}

/** Reasons come from our own list; a file makes few of them. */
const MAX_REASONS = 100;
const MAX_FIRST = 5;
const MAX_TEXT = 200;

/** Counts lines by reason, and keeps the first of each. */
export function createLosses() {
  const byReason = new Map<string, { lines: number; first: { line: number; text: string }[] }>();
  return {
    add: (reason: string, line: number, raw: unknown): void => {
      const kept = byReason.get(reason) ?? { lines: 0, first: [] };
      if (kept.lines === 0 && byReason.size === MAX_REASONS) return;
      byReason.set(reason, kept);
      kept.lines++;
      if (kept.first.length < MAX_FIRST) kept.first.push({ line, text: textOf(raw) });
    },
    list: (): Loss[] =>
      [...byReason]
        .map(([reason, kept]) => ({ reason, ...kept }))
        .toSorted((one, other) => other.lines - one.lines),
  };
}

const textOf = (raw: unknown): string =>
  (typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? '')).slice(0, MAX_TEXT);

/** `  7: is an e-mail address, and no browser (line 3, 9, …)` */
export const printedLosses = (losses: readonly Loss[]): string[] =>
  losses.map(({ reason, lines, first }) => {
    const named = first.map(({ line }) => number(line)).join(', ');
    return `  ${number(lines)}: ${reason} (line ${named}${lines > first.length ? ', …' : ''})`;
  });

/** Opened before the first line is read: a report that cannot be written is no end for an hour of work. */
export async function openReport(file: string | undefined, input: string) {
  if (file !== undefined) await refuseInput(file, [input]);
  const output = file === undefined ? null : await openPrivate(file);
  return {
    write: async (report: object): Promise<void> => {
      await output?.writeFile(`${JSON.stringify(report, null, 2)}\n`);
    },
    close: async (): Promise<void> => output?.close(),
  };
}

/** Its first lines hold keys of readers. */
const openPrivate = (file: string): Promise<FileHandle> =>
  open(file, 'w', 0o600).catch((error: Error) => {
    throw new CliError(`cannot write ${file}: ${error.message}`);
  });
