import {
  authorizationCodeGrant,
  ClientError,
  type Configuration,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { causesOf } from '../../../../engine/contract/causes.ts';
import { ProviderAway } from './guarded-fetch.ts';
import { authorizationUrl, discover, logInKeysOf, type OpenidParts, OtherIssuer } from './openid.ts';
import type { Provider } from './provider.ts';
import type { FaultCode } from './schema.ts';

export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
  /** What the provider said; null: nothing. Never of a network that the caller does not see. */
  readonly detail: string | null;
}

const messages: Readonly<Record<FaultCode, string>> = {
  unreachable:
    'The issuer cannot be reached. Check its URL; a provider in a private network or without TLS has to be named in OIDC_PRIVATE_HOSTS by the operator.',
  'no-discovery':
    'The issuer has no discovery document at /.well-known/openid-configuration. Check its URL: it ends before /.well-known.',
  'other-issuer':
    'The discovery document is another issuer’s. Enter the issuer exactly as it says; that of a single tenant, not a common one.',
  'no-endpoints':
    'The discovery document names no authorization endpoint, token endpoint or keys: this is not an OpenID provider.',
  'no-pkce': 'The provider does not say that it supports PKCE with S256. Allow it for this client there.',
  'no-keys': 'The provider’s keys cannot be read, so no log-in can be checked.',
  'wrong-client':
    'The provider refuses the client id or the secret. Enter both again, and check whether the secret has expired.',
  'redirect-uri':
    'The provider refuses the log-in page’s request. Register the redirect URI there exactly as it is shown, for the authorization code flow.',
};

const fault = (code: FaultCode, detail: string | null = null): Fault => ({
  code,
  message: messages[code],
  detail: detail?.slice(0, 300) ?? null,
});

/** What keeps people from logging in by this provider; nobody is logged in, and no page is opened. */
export async function tryProvider(
  provider: Provider,
  parts: OpenidParts,
  redirectUri: string,
): Promise<Fault[]> {
  let config: Configuration;
  try {
    config = await discover(provider, parts);
  } catch (error) {
    return [discoveryFault(error)];
  }
  const metadata = config.serverMetadata();
  const { authorization_endpoint, token_endpoint, jwks_uri } = metadata;
  if (authorization_endpoint === undefined || token_endpoint === undefined || jwks_uri === undefined)
    return [fault('no-endpoints')];
  const found = await Promise.all([
    metadata.code_challenge_methods_supported?.includes('S256') === true ? null : fault('no-pkce'),
    tryKeys(jwks_uri, parts),
    tryClient(config, redirectUri),
    tryRedirect(config, parts, redirectUri),
  ]);
  return found.filter((each) => each !== null);
}

function discoveryFault(error: unknown): Fault {
  const causes = causesOf(error);
  const other = causes.find((cause) => cause instanceof OtherIssuer);
  if (other !== undefined) return fault('other-issuer', other.message);
  if (causes.some((cause) => cause instanceof ProviderAway)) return fault('unreachable');
  const isMismatch = error instanceof ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
  return fault(isMismatch ? 'other-issuer' : 'no-discovery');
}

async function tryKeys(url: string, { fetch }: OpenidParts): Promise<Fault | null> {
  try {
    const answer = await fetch(url, { method: 'GET', headers: { accept: 'application/json' } });
    const { keys } = (await answer.json()) as { keys?: unknown };
    return answer.ok && Array.isArray(keys) && keys.length > 0 ? null : fault('no-keys');
  } catch {
    return fault('no-keys');
  }
}

/** With a code that nobody issued: a provider that knows the client complains of the code alone. */
async function tryClient(config: Configuration, redirectUri: string): Promise<Fault | null> {
  const { state, nonce, verifier } = logInKeysOf('nobody’s');
  const callback = new URL(redirectUri);
  callback.search = new URLSearchParams({
    code: 'nobody-issued-this-code',
    state,
    iss: config.serverMetadata().issuer,
  }).toString();
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
  try {
    await authorizationCodeGrant(config, callback, checks);
    return null;
  } catch (error) {
    if (error instanceof WWWAuthenticateChallengeError) return fault('wrong-client');
    if (!(error instanceof ResponseBodyError)) return null;
    const refused = error.error === 'invalid_client' || error.error === 'unauthorized_client';
    return refused ? fault('wrong-client', error.error_description ?? null) : null;
  }
}

/** Without a page for people (`prompt=none`): a provider that knows the URI sends its complaint there. */
async function tryRedirect(
  config: Configuration,
  { fetch }: OpenidParts,
  redirectUri: string,
): Promise<Fault | null> {
  try {
    const url = await authorizationUrl(config, redirectUri, logInKeysOf('nobody’s'));
    url.searchParams.set('prompt', 'none');
    const answer = await fetch(url.href, { method: 'GET', headers: { accept: 'text/html' } });
    return answer.status >= 400 && answer.status < 500 ? fault('redirect-uri') : null;
  } catch {
    return fault('unreachable');
  }
}
