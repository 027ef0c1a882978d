import { generateSecret, generateURI, verify } from 'otplib';

/** A code is good half a minute before and after its own: clocks differ, and people type slowly. */
const TOLERANCE_SECONDS = 30;

export const newTotpSecret = (): string => generateSecret();

/** What an authenticator app reads. */
export const totpUri = (secret: string, email: string): string =>
  generateURI({ issuer: 'Broadside', label: email, secret });

/**
 * The time step of a code that is right now; null: it is wrong, or not later than the last one that was taken.
 * @param lastStep of the last code that was taken: a code that somebody saw over a shoulder is good for nobody else.
 */
export async function totpStepOf(
  code: string,
  { secret, lastStep }: { readonly secret: string; readonly lastStep: number },
): Promise<number | null> {
  // The library throws where this machine's clock went back behind the last code.
  const result = await verify({
    secret,
    token: code,
    epochTolerance: TOLERANCE_SECONDS,
    afterTimeStep: lastStep,
  }).catch(() => null);
  return result?.valid === true && 'timeStep' in result ? result.timeStep : null;
}
