import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenID provider as far as a log-in's beginning asks it. It ends with its process. */
export async function openDiscovery(): Promise<string> {
  let issuer = '';
  const server = createServer((_, response) => {
    const [authorization_endpoint, token_endpoint, jwks_uri] = ['auth', 'token', 'keys'].map(
      (path) => `${issuer}/${path}`,
    );
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer, authorization_endpoint, token_endpoint, jwks_uri }));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return issuer;
}
