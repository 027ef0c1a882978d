import { generate } from 'otplib';
import { recoveryHashOf } from '../../api/account/log-in/second-factor/recovery-codes.ts';
import { beginFactor, confirmFactor } from '../../api/account/log-in/second-factor/store.ts';
import { newTotpSecret } from '../../api/account/log-in/second-factor/totp.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createSealer } from '../../engine/adapters/postgres/sealed-secret.ts';
import type { UserId } from '../../engine/contract/ids.ts';
import { MASTER_KEY } from '../api/support.ts';

export const RECOVERY_CODE = 'abcd-efgh-jkmn-pqrs';

/** What an authenticator app shows. @param steps later than now, 30 s each. */
export const codeOf = (secret: string, steps = 0): Promise<string> =>
  generate({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 * steps });

/** In place of any other one. @returns its secret. */
export async function buildFactor(
  database: Database,
  userId: UserId,
  { confirmed = true }: { readonly confirmed?: boolean } = {},
): Promise<string> {
  const secret = newTotpSecret();
  await database.query(`DELETE FROM second_factors WHERE user_id = $1`, [userId]);
  await beginFactor(database, createSealer(MASTER_KEY), userId, secret);
  if (confirmed) {
    await confirmFactor(database, userId, { step: 0, recoveryHashes: [recoveryHashOf(RECOVERY_CODE)] });
  }
  return secret;
}
