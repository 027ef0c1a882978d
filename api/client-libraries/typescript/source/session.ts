import type { Session } from './address.ts';
import { BroadsideError } from './errors.ts';
import { type BroadsideOptions, type CallOptions, Transport } from './transport.ts';

const logIn = { operation: 'logIn', method: 'POST', path: '/api/v1/account/log-in' };

/** Logs a person in. Tokens, users and organizations are managed by people only. */
export async function openSession(
  options: Omit<BroadsideOptions, 'token' | 'session'>,
  person: { readonly email: string; readonly password: string },
  call: CallOptions = {},
): Promise<Session> {
  const { body, headers } = await new Transport(options).exchange(logIn, { body: person }, call);
  const { data } = body as { data: { csrf_token: string } };
  const cookie = headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0] ?? '')
    .find((each) => /broadside_session=./.test(each));
  if (cookie === undefined) throw new BroadsideError('logIn: the answer sets no session');
  return { cookie, csrfToken: data.csrf_token };
}
