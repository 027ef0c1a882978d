import { readFile } from 'node:fs/promises';
import { once } from '../../engine/contract/concurrency/once.ts';

/** Whose password it is to become. */
interface PasswordOwner {
  readonly email: string;
  readonly organization: string;
}

/**
 * Why the password is easy to guess: in words that follow "The … field"; null: no such reason is known.
 * Compared without case, and without blanks and signs at either end: `Password1234!` is guessed next after
 * `password1234`.
 */
export async function weaknessOf(
  password: string,
  { email, organization }: PasswordOwner,
): Promise<string | null> {
  const tried = [plain(password), core(password)];
  if (tried.includes(plain(email)) || tried.includes(core(email))) return 'must not be the e-mail address';
  if (tried.includes(core(organization))) return 'must not be the organization’s name';
  const common = await readCommonPasswords();
  if (!tried.some((text) => common.has(text))) return null;
  return 'is among the most common passwords: choose a few unrelated words';
}

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
const core = (text: string): string =>
  plain(text)
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(ENDS_IN_SIGNS, '');
/** Checks each end of a run once: a password has at most 256 characters. */
const ENDS_IN_SIGNS = /(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/u;

/** Read when the first password is set, which many a process never sees. */
const readCommonPasswords = once(async (): Promise<ReadonlySet<string>> => {
  const text = await readFile(new URL('common-passwords.txt', import.meta.url), 'utf8');
  return new Set(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')));
});
