import type { Sealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../../../engine/contract/ids.ts';
import { recoveryHashOf } from './recovery-codes.ts';
import { countFailure, lockFactor, type SecondFactor, useRecovery, useStep } from './store.ts';
import { totpStepOf } from './totp.ts';

export type FactorCheck =
  | { readonly kind: 'right'; readonly by: 'code' | 'recovery-code' | 'passkey' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'too-many'; readonly waitSeconds: number }
  /** There is no factor any more. */
  | { readonly kind: 'none' };

/**
 * A code of the user's app, or a recovery code; a right one is used up, a wrong one is counted. The transaction has
 * to commit whatever the answer, or wrong ones would not count.
 */
export async function checkCode(
  sql: Sql,
  sealer: Sealer,
  userId: UserId,
  text: string,
): Promise<FactorCheck> {
  const factor = await lockFactor(sql, sealer, userId);
  if (factor === null) return { kind: 'none' };
  if (factor.waitSeconds > 0) return { kind: 'too-many', waitSeconds: factor.waitSeconds };
  const by = await takeCode(sql, userId, factor, text);
  if (by !== null) return { kind: 'right', by };
  await countFailure(sql, userId);
  return { kind: 'wrong' };
}

async function takeCode(
  sql: Sql,
  userId: UserId,
  factor: SecondFactor,
  text: string,
): Promise<'code' | 'recovery-code' | null> {
  const code = plainCode(text);
  const { secret, lastStep, isConfirmed } = factor;
  const hasApp = code !== null && isConfirmed && secret !== null;
  const step = hasApp ? await totpStepOf(code, { secret, lastStep }) : null;
  if (step !== null) {
    await useStep(sql, userId, step);
    return 'code';
  }
  const hash = recoveryHashOf(text);
  if (!factor.recoveryHashes.some((each) => each.equals(hash))) return null;
  await useRecovery(sql, userId, hash);
  return 'recovery-code';
}

/** Apps show `123 456`. Null where it is not a code of an app. */
export function plainCode(text: string): string | null {
  const digits = text.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}
