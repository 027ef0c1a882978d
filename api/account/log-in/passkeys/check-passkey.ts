import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../../../engine/contract/ids.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import { lockPasskey, noteUse, type Passkey, stopPasskey, takeChallenge } from './store.ts';
import { checkUsed, credentialIdOf, type Site } from './webauthn.ts';

export interface PasskeyAnswer {
  readonly site: Site;
  /** The secret to which the challenge belongs. */
  readonly owner: string;
  /** Of the browser, as WebAuthn has it. */
  readonly text: string;
}

/** The passkey that a challenge's answer names; null where it is used up, too old, or names none. */
export async function findAnswered(
  sql: Sql,
  { owner, text }: PasskeyAnswer,
  purpose: 'second' | 'alone',
): Promise<{ readonly passkey: Passkey; readonly challenge: string } | null> {
  const challenge = await takeChallenge(sql, owner, purpose);
  const id = credentialIdOf(text);
  const passkey = challenge === null || id === null ? null : await lockPasskey(sql, id);
  return passkey === null || challenge === null ? null : { passkey, challenge };
}

/** Notes the use, or stops a passkey that exists twice. The transaction has to commit whatever the answer. */
export async function usePasskey(
  sql: Sql,
  { site, text }: PasskeyAnswer,
  found: { readonly passkey: Passkey; readonly challenge: string },
  by: { readonly mustVerify: boolean; readonly actor: Actor },
): Promise<boolean> {
  const { passkey, challenge } = found;
  const check = await checkUsed(site, passkey, { challenge, text, mustVerify: by.mustVerify });
  if (check === 'wrong') return false;
  if (check === 'cloned') {
    await stopPasskey(sql, passkey.id);
    await noteChange(sql, by.actor, { action: 'user.passkey-stopped', subjectId: passkey.id });
    return false;
  }
  await noteUse(sql, passkey.id, check.counter);
  return true;
}

/** After the password: the passkey has to be this user's. */
export async function checkSecond(
  sql: Sql,
  answer: PasskeyAnswer,
  userId: UserId,
  actor: Actor,
): Promise<boolean> {
  const found = await findAnswered(sql, answer, 'second');
  if (found === null || found.passkey.userId !== userId) return false;
  return usePasskey(sql, answer, found, { mustVerify: false, actor });
}
