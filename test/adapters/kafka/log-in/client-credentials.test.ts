// tier: unit
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { fetchToken } from '../../../../engine/adapters/kafka/log-in/client-credentials.ts';
import { LogInAway, LogInRefused } from '../../../../engine/adapters/kafka/log-in/errors.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

interface Seen {
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly form: Record<string, string>;
}

const clock = createManualClock();
let seen: Seen | null = null;
let answer: (response: ServerResponse) => void = () => undefined;

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization, 'content-type': type } = request.headers;
  seen = { authorization, type, form: Object.fromEntries(new URLSearchParams(await text(request))) };
  answer(response);
}

const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const client = { clientId: 'broad:side', clientSecret: 'sécret/+', scope: null, audience: null, clock };
const ask = (more = {}) => fetchToken({ ...client, tokenUrl: url, ...more });
const json =
  (status: number, body: unknown) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const jwt = (claims: object): string =>
  ['{}', JSON.stringify(claims), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');

describe('the client credentials grant', () => {
  it('sends the client as RFC 6749 says, and the scope and audience where they are set', async () => {
    answer = json(200, { access_token: 'abc', token_type: 'bearer', expires_in: 300 });
    expect(await ask()).toEqual({ value: 'abc', expiresAt: clock.now() + 300_000 });
    const basic = Buffer.from('broad%3Aside:s%C3%A9cret%2F%2B').toString('base64');
    expect(seen).toEqual({
      authorization: `Basic ${basic}`,
      type: expect.stringContaining('application/x-www-form-urlencoded'),
      form: { grant_type: 'client_credentials' },
    });
    await ask({ scope: 'kafka read', audience: 'lkc-1' });
    expect(seen?.form).toEqual({ grant_type: 'client_credentials', scope: 'kafka read', audience: 'lkc-1' });
  });

  it('takes the end of a token from the answer, otherwise from the token, otherwise one minute', async () => {
    const exp = Math.floor(clock.now() / 1_000) + 500;
    answer = json(200, { access_token: jwt({ exp }) });
    expect((await ask()).expiresAt).toBe(exp * 1_000);
    answer = json(200, { access_token: jwt({ exp }), expires_in: '100' });
    expect((await ask()).expiresAt).toBe(clock.now() + 100_000);
    answer = json(200, { access_token: 'opaque' });
    expect((await ask()).expiresAt).toBe(clock.now() + 60_000);
  });

  it.each([
    [401, { error: 'invalid_client' }, /\(invalid_client\): check KAFKA_OAUTH_CLIENT_ID/],
    [401, 'no JSON', /\(401\): check KAFKA_OAUTH_CLIENT_ID/],
    [
      400,
      { error: 'invalid_scope', error_description: 'sécret' },
      /\(invalid_scope\): check KAFKA_OAUTH_SCOPE/,
    ],
    [400, { error: 'unauthorized_client' }, /allow it the client credentials grant/],
    [404, {}, /\(404\): it must be the token endpoint/],
    [302, {}, /\(302\): it must be the token endpoint, without a redirect/],
    [200, { token: 'abc' }, /answers without a token/],
    [400, { error: '<b>sécret</b>' }, /\(400\)/],
  ])('is refused permanently by a %i with %o', async (status, body, line) => {
    answer = json(status, body);
    const error = await ask().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LogInRefused);
    expect((error as Error).message).toMatch(line);
    expect((error as Error).message).not.toMatch(/sécret|broad:side/);
  });

  it.each([429, 500, 503])('may go better after a %i', async (status) => {
    answer = json(status, {});
    const error = await ask().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LogInAway);
    expect((error as Error).message).toBe(`KAFKA_OAUTH_TOKEN_URL answers ${status}`);
  });

  it('may go better where nobody listens, the answer breaks off, or it is endless', async () => {
    await expect(ask({ tokenUrl: 'http://127.0.0.1:1/token' })).rejects.toThrow(LogInAway);
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(ask()).rejects.toThrow(LogInAway);
    answer = (response) => void response.writeHead(200).end(`{"access_token":"${'a'.repeat(70_000)}"}`);
    await expect(ask()).rejects.toThrow('longer than 64 KB');
  });
});
