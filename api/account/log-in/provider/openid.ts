import { createHmac } from 'node:crypto';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import { causesOf } from '../../../../engine/contract/causes.ts';
import { isStorable } from '../../../../engine/kit/http/unstorable-text.ts';
import { type IsPrivateHost, mayBeAsked, ProviderAway, type ProviderFetch } from './guarded-fetch.ts';
import type { Provider } from './provider.ts';

/** What a log-in shows to the provider, made from the secret of its cookie: another browser's is another one. */
export interface LogInKeys {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

export function logInKeysOf(secret: string): LogInKeys {
  const made = (use: string): string =>
    createHmac('sha256', secret).update(`broadside openid ${use}`).digest('base64url');
  return { state: made('state'), nonce: made('nonce'), verifier: made('verifier') };
}

/** A person, as their provider describes them. */
export interface ProvidedPerson {
  readonly subject: string;
  readonly email: string | null;
  readonly isVerified: boolean;
  readonly name: string | null;
  readonly groups: readonly string[];
  readonly idToken: string;
  /** Where the person's session at the provider ends; null: it offers none. */
  readonly logOutUrl: string | null;
}

export type Asked<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  /** Nobody answers, or the answer is none of a provider. `reason` is for the operator's log. */
  | { readonly kind: 'away'; readonly reason: string }
  /** The person, or the provider, refused the log-in. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The answer is not one to this log-in, or not the provider's: state, nonce, audience, issuer, signature. */
  | { readonly kind: 'wrong'; readonly reason: string };

export interface OpenidParts {
  readonly fetch: ProviderFetch;
  readonly isPrivate: IsPrivateHost;
}

export type Openid = ReturnType<typeof createOpenid>;

/** Most groups that are checked, and most signs of what a provider says of a person. */
const MAX_GROUPS = 1_000;
const MAX_TEXT = 255;

/**
 * Log-ins by OpenID Connect. Endpoints and keys are read again for each log-in: whatever the provider changed holds at
 * once, in every process, and nothing has to be forgotten.
 */
export function createOpenid(parts: OpenidParts) {
  return {
    /** Where the browser goes. */
    begin: (provider: Provider, redirectUri: string, keys: LogInKeys): Promise<Asked<URL>> =>
      asked(async () => {
        const url = await authorizationUrl(await discover(provider, parts), redirectUri, keys);
        if (!mayBeAsked(url, parts.isPrivate)) throw new ProviderAway('its log-in page is not on https');
        return url;
      }),
    /** @param callback the URL with which the browser came back. */
    complete: (provider: Provider, callback: URL, keys: LogInKeys): Promise<Asked<ProvidedPerson>> =>
      asked(async () => complete(await discover(provider, parts), provider, callback, keys)),
  };
}

/**
 * @throws ProviderAway where it does not answer, or its document is another issuer's: the library takes those of some
 * vendors' for many tenants, and then anyone's tenant could vouch for anybody.
 */
export async function discover(provider: Provider, { fetch }: OpenidParts): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  const found = await discovery(new URL(issuer), clientId, undefined, secretOf(clientSecret), {
    // Which hosts may be asked without TLS, `fetch` decides.
    execute: [allowInsecureRequests, enableNonRepudiationChecks],
    [customFetch]: fetch,
  });
  const metadata = found.serverMetadata();
  if (URL.parse(metadata.issuer)?.href !== URL.parse(issuer)?.href)
    throw new OtherIssuer(`its discovery document is that of ${metadata.issuer}`);
  return found;
}

/** In the way that the provider offers; without a list, the specification means the header. */
const secretOf =
  (secret: string): ClientAuth =>
  (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const way = ways.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
    return way(secret)(server, ...rest);
  };

export class OtherIssuer extends ProviderAway {}

export const authorizationUrl = async (
  config: Configuration,
  redirectUri: string,
  { state, nonce, verifier }: LogInKeys,
): Promise<URL> =>
  buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: scopeOf(config),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });

/** Some providers give groups only to those who ask, others refuse a scope that they do not know. */
const scopeOf = (config: Configuration): string =>
  config.serverMetadata().scopes_supported?.includes('groups') === true
    ? 'openid email profile groups'
    : 'openid email profile';

async function complete(
  config: Configuration,
  provider: Provider,
  callback: URL,
  { state, nonce, verifier }: LogInKeys,
): Promise<ProvidedPerson> {
  const tokens = await authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) throw new Error('there is no ID token');
  // An empty one would be one account for all whom the provider does not name.
  if (shortTextOf(claims.sub) !== claims.sub) throw new Error('the ID token names nobody');
  const { claim, admin, member } = provider.groups;
  const needsGroups = admin.length + member.length > 0;
  const says = (given: object): boolean => 'email' in given && (!needsGroups || claim in given);
  const asksMore = !says(claims) && config.serverMetadata().userinfo_endpoint !== undefined;
  const more = asksMore ? await fetchUserInfo(config, tokens.access_token, claims.sub) : {};
  // What is signed goes before.
  const all: Readonly<Record<string, unknown>> = { ...more, ...claims };
  return {
    subject: claims.sub,
    email: shortTextOf(all.email),
    isVerified: all.email_verified === true,
    name: shortTextOf(all.name),
    groups: groupsOf(all[claim]),
    idToken: tokens.id_token,
    logOutUrl: logOutUrlOf(config),
  };
}

/** A provider's word that Postgres could not keep is none. */
const isText = (value: unknown): value is string => typeof value === 'string' && isStorable(value);

const shortTextOf = (value: unknown): string | null =>
  isText(value) && value.trim() !== '' && value.length <= MAX_TEXT ? value.trim() : null;

function groupsOf(value: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter(isText).slice(0, MAX_GROUPS);
}

function logOutUrlOf(config: Configuration): string | null {
  if (config.serverMetadata().end_session_endpoint === undefined) return null;
  return buildEndSessionUrl(config).href;
}

/** Every ending of the library as one of ours. */
export async function asked<Value>(work: () => Promise<Value>): Promise<Asked<Value>> {
  try {
    return { kind: 'answered', value: await work() };
  } catch (error) {
    const causes = causesOf(error);
    const reason = causes
      .map(({ message }) => message)
      .join(': ')
      .slice(0, 500)
      .replaceAll('\0', ' ')
      .toWellFormed();
    if (causes.some((cause) => cause instanceof ProviderAway)) return { kind: 'away', reason };
    if (error instanceof AuthorizationResponseError) return { kind: 'refused', reason };
    const { code } = error as { code?: unknown };
    return { kind: awayCodes.has(String(code)) ? 'away' : 'wrong', reason };
  }
}

/** Of answers that are none of a provider: a page of a proxy, a status of an outage. */
const awayCodes = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);
