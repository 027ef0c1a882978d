import { CliError } from '../../engine/kit/command-line/endings.ts';
import { isEmail } from '../account/fields.ts';

const MAX_TEXT = 255;

/** @throws CliError in one line that names the option. */
export function textOf(option: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_TEXT)
    throw new CliError(`${option} must have 1 to ${MAX_TEXT} characters`);
  return trimmed;
}

export function emailOf(text: string): string {
  const email = textOf('--email', text);
  if (!isEmail(email)) throw new CliError(`--email "${email}" is not an e-mail address`);
  return email;
}
