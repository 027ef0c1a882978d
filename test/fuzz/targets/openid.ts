import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import { createOpenid, logInKeysOf } from '../../../api/account/log-in/provider/openid.ts';
import type { Provider } from '../../../api/account/log-in/provider/provider.ts';
import { isStorable } from '../../../engine/kit/http/unstorable-text.ts';
import type { FuzzTarget } from '../target.ts';

const ISSUER = 'https://login.example';
const CALLBACK = 'https://broadside.example/callback';
const provider: Provider = {
  ...{ id: 1, organizationId: 1 as never, key: 'abc', name: 'Example', issuer: ISSUER, makesUsersIn: null },
  ...{ clientId: 'broadside', clientSecret: 'secret', emailDomains: [] },
  groups: { claim: 'groups', admin: [], member: [] },
};
const keys = logInKeysOf('the secret of a cookie');
const pairOf = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [genuine, evil] = [pairOf(), pairOf()];

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part) ?? 'null').toString('base64url');

function signed(header: object, claims: unknown, key: KeyObject): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** OpenID Connect Core 1.0, section 2. */
const MOST_SUBJECT = 255;

type Fields = Record<string, unknown>;
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    'x',
    0,
    -1,
    1e99,
    true,
    [],
    {},
    ['broadside', 'other'],
    'https://evil.example',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('\0', '\ud800', 'x\udfff', ['\0', 'editors']),
  fc.constant('x'.repeat(100_000)),
);
/** Some fields of an object are other ones, or gone. */
const changed = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), fc.option(odd, { nil: undefined }), { maxKeys: 2 });

const answers = fc.record({
  metadata: changed(['issuer', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint', 'authorization_endpoint']),
  claims: changed([
    'iss',
    'aud',
    'sub',
    'nonce',
    'exp',
    'iat',
    'email',
    'email_verified',
    'azp',
    'groups',
    'name',
  ]),
  header: changed(['alg', 'kid', 'typ', 'crit']),
  token: changed(['id_token', 'access_token', 'token_type', 'expires_in']),
  callback: changed(['state', 'code', 'iss', 'error']),
  signer: fc.constantFrom('genuine', 'genuine', 'genuine', 'evil', 'nobody'),
  status: fc.constantFrom(200, 200, 200, 200, 204, 302, 400, 500),
  body: fc.option(fc.string({ unit: 'binary', maxLength: 40 }), { freq: 8 }),
});
type Answers = typeof answers extends fc.Arbitrary<infer Value> ? Value : never;

const metadata: Fields = {
  ...{ issuer: ISSUER, authorization_endpoint: `${ISSUER}/auth`, token_endpoint: `${ISSUER}/token` },
  ...{ jwks_uri: `${ISSUER}/keys`, userinfo_endpoint: `${ISSUER}/me`, response_types_supported: ['code'] },
  ...{ subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['ES256'] },
};
const claimsNow = (): Fields => {
  const now = Math.floor(Date.now() / 1_000);
  const who = { sub: 'person-1', email: 'person@news.example', email_verified: true };
  return { iss: ISSUER, aud: 'broadside', nonce: keys.nonce, iat: now, exp: now + 300, ...who };
};

function idTokenOf({ claims, header, signer }: Answers): string {
  const head = { alg: 'ES256', kid: 'one', ...header };
  const all = { ...claimsNow(), ...claims };
  if (signer === 'nobody') return `${encode({ ...head, alg: 'none' })}.${encode(all)}.`;
  return signed(head, all, (signer === 'evil' ? evil : genuine).privateKey);
}

function answerOf(url: string, given: Answers): unknown {
  const { pathname } = new URL(url);
  if (pathname.endsWith('openid-configuration')) return { ...metadata, ...given.metadata };
  if (pathname === '/keys')
    return {
      keys: [{ ...genuine.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }],
    };
  if (pathname === '/me') return { ...claimsNow(), ...given.claims };
  return { access_token: 'a', token_type: 'Bearer', id_token: idTokenOf(given), ...given.token };
}

/** Whether these fields, where they were changed, are what they were. */
const isSame = (given: Fields, all: Fields, names: readonly string[]): boolean =>
  names.every((name) => !(name in given) || JSON.stringify(given[name]) === JSON.stringify(all[name]));

/** Nothing of it was made by somebody else, or for another log-in. */
const isGenuine = ({ metadata: said, claims, token, callback, signer }: Answers): boolean =>
  signer === 'genuine' &&
  !('id_token' in token) &&
  isSame(said, metadata, ['issuer']) &&
  isSame(claims, claimsNow(), ['iss', 'nonce']) &&
  isSame(callback, { state: keys.state }, ['state']);

export const openidTarget: FuzzTarget = {
  name: 'openid',
  holds: 'no answer of a provider throws, and none that is not its own for this log-in is taken',
  property: fc.asyncProperty(answers, async (given) => {
    const { complete } = createOpenid({
      isPrivate: () => false,
      fetch: async (url) => {
        const empty = [204, 205, 304].includes(given.status);
        const text = given.body ?? JSON.stringify(answerOf(url, given)) ?? '';
        return new Response(empty ? null : text, {
          status: given.status,
          headers: { 'content-type': 'application/json' },
        });
      },
    });
    const callback = new URL(CALLBACK);
    for (const [name, value] of Object.entries({ state: keys.state, code: 'code', ...given.callback }))
      if (value !== undefined) callback.searchParams.set(name, String(value));
    const ending = await complete(provider, callback, keys);
    if (ending.kind !== 'answered') {
      if (!isStorable(ending.reason)) throw new Error('the reason cannot be kept');
      return;
    }
    const { subject, email, name, groups } = ending.value;
    for (const text of [subject, email ?? '', name ?? '', ...groups])
      if (!isStorable(text)) throw new Error(`${JSON.stringify(text)} was taken, and cannot be kept`);
    if (subject === '' || subject.length > MOST_SUBJECT) throw new Error('somebody without a name was taken');
    if (!isGenuine(given)) throw new Error(`a forged answer was taken for ${subject}`);
  }),
};
