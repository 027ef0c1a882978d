import { CliError } from '../../../engine/command-line/endings.ts';
import type { RecordRules } from '../../../engine/command-line/file/records.ts';

const required = ['endpoint', 'p256dh', 'auth'];

/** @throws CliError: without these columns every line would be refused. */
function subscriptionHeader(names: string[]): string[] {
  const header = names.map((name) => name.trim());
  const missing = required.filter((name) => !header.includes(name));
  if (missing.length === 0) return header;
  throw new CliError(`the first line of the CSV names no ${missing.join(', ')}: it must name the fields`);
}

export const subscriptionRules: RecordRules = { headerOf: subscriptionHeader, parseJson: JSON.parse };
