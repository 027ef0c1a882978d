import { causesOf } from '../../../contract/causes.ts';
import type { Clock } from '../../../contract/concurrency/clock.ts';
import { LogInAway, LogInRefused } from './errors.ts';
import type { Token } from './token-cache.ts';

export interface ClientCredentials {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | null;
  readonly audience: string | null;
  readonly clock: Clock;
}

const REQUEST_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 65_536;
/** Where neither the answer nor the token says how long it lasts. */
const DEFAULT_LIFE_S = 60;

/**
 * A token by the client credentials grant (RFC 6749, section 4.4). Nobody is followed elsewhere, and of the answer
 * only the standard's own word for an error is repeated.
 * @throws LogInRefused where the endpoint refuses the client; LogInAway where it does not answer.
 */
export async function fetchToken(client: ClientCredentials): Promise<Token> {
  const asked = await ask(client);
  if (asked.status !== 200) throw failureOf(asked);
  const { access_token: value, expires_in: life } = asked.body;
  if (typeof value !== 'string' || value === '') {
    throw new LogInRefused(
      'KAFKA_OAUTH_TOKEN_URL answers without a token: it must be a token endpoint (OAuth 2.0)',
    );
  }
  const now = client.clock.now();
  const expiresAt =
    Number(life) > 0 ? now + Number(life) * 1_000 : (expiryIn(value) ?? now + DEFAULT_LIFE_S * 1_000);
  return { value, expiresAt };
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function ask({
  tokenUrl,
  clientId,
  clientSecret,
  scope,
  audience,
}: ClientCredentials): Promise<Answer> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== null) form.set('scope', scope);
  if (audience !== null) form.set('audience', audience);
  try {
    const answer = await fetch(tokenUrl, {
      method: 'POST',
      headers: { accept: 'application/json', authorization: basic(clientId, clientSecret) },
      body: form,
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { status: answer.status, body: parse(await bounded(answer)) };
  } catch (error) {
    const reason = causesOf(error).findLast(({ message }) => message !== '')?.message ?? '';
    throw new LogInAway(`KAFKA_OAUTH_TOKEN_URL does not answer: ${reason}`, error);
  }
}

/** Section 2.3.1: both are encoded as in a form, for either may hold a colon. */
const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

async function bounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`its answer is longer than ${MAX_ANSWER_BYTES / 1_024} KB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What to check, by the errors of section 5.2. */
const advice: Readonly<Record<string, string>> = {
  invalid_client: 'check KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET',
  invalid_scope: 'check KAFKA_OAUTH_SCOPE',
  unauthorized_client: 'allow it the client credentials grant',
  unsupported_grant_type: 'the endpoint must offer the client credentials grant',
};

function failureOf({ status, body: { error } }: Answer): Error {
  if (status === 429 || status >= 500) return new LogInAway(`KAFKA_OAUTH_TOKEN_URL answers ${status}`);
  const word = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : String(status);
  const fallback =
    status === 401 || status === 403
      ? advice.invalid_client
      : 'it must be the token endpoint, without a redirect';
  return new LogInRefused(
    `KAFKA_OAUTH_TOKEN_URL refuses to give a token (${word}): ${advice[word] ?? fallback}`,
  );
}

/** `exp` of a token that is a JWT, in ms. It is the brokers who check it; here it only says when to ask again. */
function expiryIn(token: string): number | null {
  const { exp } = parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return typeof exp === 'number' ? exp * 1_000 : null;
}
