import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { type Api, dataOf } from '../../http/api.ts';

const isAddress = (host: string): boolean => /^[\d.]+$|:/.test(host);

/** Browsers have passkeys for host names, over https or on this machine. */
export const hasPasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' && !isAddress(window.location.hostname);

/** The person closed the browser's window, or it waited in vain. */
export class Cancelled extends Error {}

/** Both ask the browser to sign what the API made. @throws Cancelled. */
export const makePasskey = (options: string): Promise<string> =>
  signed(startRegistration({ optionsJSON: JSON.parse(options) }));
export const signWithPasskey = (options: string): Promise<string> =>
  signed(startAuthentication({ optionsJSON: JSON.parse(options) }));

async function signed(asking: Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await asking);
  } catch (error) {
    throw new Cancelled('the browser gave no passkey', { cause: error });
  }
}

/** The whole of a log-in by a passkey alone. */
export async function logInByPasskey(api: Api) {
  const { options } = await dataOf(api.POST('/api/v1/account/log-in/passkey-options'));
  const answer = await signWithPasskey(options);
  return dataOf(api.POST('/api/v1/account/log-in/passkey', { body: { answer } }));
}

/** In place of a code, after the password. */
export async function completeByPasskey(api: Api) {
  const { options } = await dataOf(api.POST('/api/v1/account/log-in/code/passkey-options'));
  const answer = await signWithPasskey(options);
  return dataOf(api.POST('/api/v1/account/log-in/code/passkey', { body: { answer } }));
}
