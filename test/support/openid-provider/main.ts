import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration, type JWK } from 'oidc-provider';
import type { Account, Control, Tamper } from './control.ts';

/** A real provider as a process of its own. It prints its issuer, and does what `POST /control` says. */
const redirectUris = JSON.parse(process.env.REDIRECT_URIS ?? '[]') as string[];
const logOutUris = JSON.parse(process.env.LOG_OUT_URIS ?? '[]') as string[];

let account: Account = { sub: 'nobody', claims: {} };
let tamper: Tamper = null;
let serve: (request: IncomingMessage, response: ServerResponse) => void = () => {};

const server = createServer((request, response) => {
  if (request.url === '/control') void control(request, response);
  else serve(request, response);
});
server.listen(0, '127.0.0.1', () => {
  start();
  console.log(issuerOf());
});

const issuerOf = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const wanted = JSON.parse(Buffer.concat(chunks).toString()) as Control;
  account = wanted.account ?? account;
  tamper = wanted.tamper === undefined ? tamper : wanted.tamper;
  if (wanted.rotate === true) start();
  response.end('{}');
}

/** With keys that nobody has seen. */
function start(): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(6).toString('hex'), alg: 'RS256' };
  const provider = new Provider(issuerOf(), configurationOf(key as JWK));
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) return finish(provider, context);
    await next();
    const { body } = context as { body: unknown };
    if (context.path === '/token' && tamper !== null && isToken(body))
      context.body = { ...body, id_token: tampered(body.id_token, key as JWK, tamper) };
  });
  serve = provider.callback();
}

const isToken = (body: unknown): body is { id_token: string } =>
  typeof body === 'object' && body !== null && 'id_token' in body;

const configurationOf = (key: JWK): Configuration => ({
  clients: [
    {
      client_id: 'broadside',
      client_secret: 'a secret of the client',
      redirect_uris: redirectUris,
      post_logout_redirect_uris: logOutUris,
    },
  ],
  jwks: { keys: [key] },
  cookies: { keys: ['cookies of a test'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: () => ({ accountId: account.sub, claims: () => ({ sub: account.sub, ...account.claims }) }),
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client?.clientId ?? '',
      accountId: oidc.session?.accountId ?? '',
    });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});

/** Without a page: whoever comes is the account of the moment. */
async function finish(
  provider: Provider,
  context: { req: IncomingMessage; res: ServerResponse; respond?: boolean | undefined },
): Promise<void> {
  context.respond = false;
  await provider.interactionFinished(context.req, context.res, { login: { accountId: account.sub } });
}

/** Signed again by the provider's own key, unless the signature is what is wrong. */
function tampered(token: string, key: JWK, what: Exclude<Tamper, null>): string {
  const [header = '', payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const changes: Record<Exclude<Tamper, null>, object> = {
    nonce: { nonce: 'of another log-in' },
    audience: { aud: 'another-client' },
    issuer: { iss: 'https://another.example' },
    expired: { exp: 1_000, iat: 900 },
    signature: {},
  };
  const body = `${header}.${Buffer.from(JSON.stringify({ ...claims, ...changes[what] })).toString('base64url')}`;
  const own = createPrivateKey({ key: key as never, format: 'jwk' });
  const signing =
    what === 'signature' ? generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey : own;
  return `${body}.${sign('RSA-SHA256', Buffer.from(body), signing).toString('base64url')}`;
}
