import { type Command, InvalidArgumentError } from 'commander';
import type { Output } from './report/report.ts';

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('must be a whole number from 1.');
  return value;
}

export const wholeNumberOrZero = (text: string): number => (text === '0' ? 0 : wholeNumber(text));

export const wholeNumbers = (text: string): number[] => text.split(',').map(wholeNumber);

export const words = (text: string): string[] => text.split(',');

/** Which of the known names `--only` gives; without it all. @throws Error where one is unknown. */
export function namedOf(
  known: readonly string[],
  given: readonly string[] | undefined,
): (name: string) => boolean {
  const unknown = given?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--only names ${unknown}; there are ${known.join(', ')}`);
  return (name) => given?.includes(name) ?? true;
}

/** The two options of every command that has a table. */
export function withOutput(command: Command): Command {
  return command
    .option('--json', 'JSON lines instead of a table')
    .option('--out <file>', 'also a page with charts, in one HTML file');
}

export const outputOf = (options: { readonly json?: boolean; readonly out?: string }): Output => ({
  json: options.json === true,
  out: options.out ?? null,
});

/** Progress on standard error, for people who wait, on a terminal or not; beside JSON it is not indented. */
export const createSay = ({ json }: Output): ((text: string) => void) =>
  json ? (text) => console.error(text) : (text) => console.error(`  ${text}`);
