import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * An OAuth token endpoint whose tokens a broker can check: signed, with the public key as a JWKS. They are for the
 * brokers unless the client asks for another audience.
 */
export interface TokenServer {
  readonly url: string;
  readonly jwks: string;
  /** What it issues from now on. `refuses`: the client's secret is not right any more. */
  readonly issues: { lifeSeconds: number; refuses: boolean };
  /** How many tokens it issued so far. */
  issued(): number;
  close(): Promise<void>;
}

export const tokenClient = { id: 'broadside', secret: 'token-client-secret' } as const;
export const tokenIssuer = 'https://login.example.com';
export const brokersAudience = 'brokers';

/** @param subject the user that brokers make of its tokens. */
export async function startTokenServer(subject: string): Promise<TokenServer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const issues = { lifeSeconds: 300, refuses: false };
  let issued = 0;

  function token(audience: string): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: tokenIssuer, sub: subject, aud: audience, iat: now, exp: now + issues.lifeSeconds };
    const signed = [{ alg: 'RS256', kid: 'test', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const basic = Buffer.from(`${tokenClient.id}:${tokenClient.secret}`).toString('base64');
    const isClient = request.headers.authorization === `Basic ${basic}` && !issues.refuses;
    if (!isClient || form.get('grant_type') !== 'client_credentials') {
      return void response.writeHead(401).end(JSON.stringify({ error: 'invalid_client' }));
    }
    issued++;
    const body = {
      access_token: token(form.get('audience') ?? brokersAudience),
      token_type: 'bearer',
      expires_in: issues.lifeSeconds,
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    jwks: JSON.stringify({ keys: [key] }),
    issues,
    issued: () => issued,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
