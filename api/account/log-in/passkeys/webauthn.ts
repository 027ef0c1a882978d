import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { UserId } from '../../../../engine/contract/ids.ts';
import type { Passkey } from './store.ts';

/** The site to which passkeys belong. */
export interface Site {
  /** Its host: a passkey of it is good for nothing else. */
  readonly rpId: string;
  readonly origin: string;
}

/** Null: browsers make no passkeys for an address instead of a name. */
export function siteOf(base: string): Site | null {
  const { hostname, origin } = new URL(base);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { rpId: hostname, origin } : null;
}

export interface Options {
  readonly challenge: string;
  /** For the browser, as WebAuthn has them. */
  readonly text: string;
}

const optionsOf = (options: { readonly challenge: string }): Options => ({
  challenge: options.challenge,
  text: JSON.stringify(options),
});
const transportsOf = (transports: readonly string[]) => transports as AuthenticatorTransport[];
const descriptorOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  transports: transportsOf(transports),
});

/** Stable, and says nothing: authenticators show and keep it. */
const handleOf = (userId: UserId): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(`broadside passkey ${userId}`).digest());

export const addingOptions = async (
  { rpId }: Site,
  user: { readonly id: UserId; readonly email: string },
  existing: readonly Passkey[],
): Promise<Options> =>
  optionsOf(
    await generateRegistrationOptions({
      rpName: 'Broadside',
      rpID: rpId,
      userName: user.email,
      userID: handleOf(user.id),
      excludeCredentials: existing.map(descriptorOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    }),
  );

/** @param allowed null: any that the browser finds by itself, which then asks for a PIN or a finger, too. */
export const logInOptions = async ({ rpId }: Site, allowed: readonly Passkey[] | null): Promise<Options> =>
  optionsOf(
    await generateAuthenticationOptions({
      rpID: rpId,
      ...(allowed === null ? {} : { allowCredentials: allowed.map(descriptorOf) }),
      userVerification: allowed === null ? 'required' : 'preferred',
    }),
  );

export interface AddedKey extends Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'> {}

/** Null: the answer is not one to this challenge, or of another site. */
export async function checkAdded(
  { rpId, origin }: Site,
  challenge: string,
  text: string,
): Promise<AddedKey | null> {
  try {
    const checked = await verifyRegistrationResponse({
      response: JSON.parse(text) as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
    });
    if (!checked.verified) return null;
    const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential;
    const known = transports.filter((each) => typeof each === 'string').slice(0, 10);
    return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports: known };
  } catch {
    // The library throws where anything in the text is not as it has to be.
    return null;
  }
}

/** The credential that an answer names; null where it names none. */
export function credentialIdOf(text: string): string | null {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === 'string' && /^[\w-]{1,1400}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

export type KeyCheck = 'wrong' | 'cloned' | { readonly counter: number };

/**
 * A counter that does not rise says that the key exists twice. It is compared here, after the signature: the library
 * compares it before, and then an answer that nobody signed would stop a passkey.
 */
export async function checkUsed(
  { rpId, origin }: Site,
  passkey: Passkey,
  answer: { readonly challenge: string; readonly text: string; readonly mustVerify: boolean },
): Promise<KeyCheck> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: JSON.parse(answer.text) as AuthenticationResponseJSON,
      expectedChallenge: answer.challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: answer.mustVerify,
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    });
    if (!verified) return 'wrong';
    const { newCounter: counter } = authenticationInfo;
    const counts = counter > 0 || passkey.counter > 0;
    return counts && counter <= passkey.counter ? 'cloned' : { counter };
  } catch {
    return 'wrong';
  }
}
