import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration, type JWK } from 'oidc-provider';
import type { Account, Control, Tamper } from './control.ts';

/** A real provider as a process of its own. It prints its issuer, and does what `POST /control` says. */
const redirectUris = JSON.parse(process.env.REDIRECT_URIS ?? '[]') as string[];
const logOutUris = JSON.parse(process.env.LOG_OUT_URIS ?? '[]') as string[];

const patterns = redirectUris.map(
  (uri) => new RegExp(`^${uri.replaceAll('.', '[.]').replaceAll('*', '\\d+')}$`),
);

let account: Account = { sub: 'nobody', claims: {} };
let tamper: Tamper = null;
let silent = false;
let leadsTo: string | null = null;
let taken: string[] = [];
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
  const wanted = JSON.parse(await textOf(request)) as Control;
  account = wanted.account ?? account;
  tamper = wanted.tamper === undefined ? tamper : wanted.tamper;
  silent = wanted.silent ?? silent;
  if (wanted.leadsTo !== undefined) {
    leadsTo = wanted.leadsTo;
    taken = [];
  }
  if (wanted.rotate === true) start();
  response.end(JSON.stringify({ taken }));
}

/** With keys that nobody has seen. */
function start(): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(6).toString('hex'), alg: 'RS256' };
  const provider = new Provider(issuerOf(), configurationOf(key as JWK));
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) return finish(provider, context);
    if (leadsTo !== null && context.path === '/auth') {
      const url = new URL(leadsTo);
      url.searchParams.set('state', String(context.query.state));
      return context.redirect(url.href);
    }
    if (leadsTo !== null && context.path === '/token') taken.push(await textOf(context.req));
    await next();
    if (silent) hush(context);
    const { body } = context as { body: unknown };
    if (context.path === '/token' && tamper !== null && isToken(body))
      context.body = { ...body, id_token: tampered(body.id_token, key as JWK, tamper) };
  });
  // Each organization has an address of its own, and comes after the provider: `*` stands for its number.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => patterns.some((each) => each.test(uri));
  serve = provider.callback();
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** As large providers do: it neither says who it is when it sends somebody back, nor that it would. */
function hush(context: {
  body: unknown;
  response: { get(name: string): string };
  set(name: string, value: string): void;
}): void {
  const url = URL.parse(context.response.get('location'));
  if (url?.searchParams.has('iss') === true) {
    url.searchParams.delete('iss');
    context.set('location', url.href);
  }
  if (
    typeof context.body === 'object' &&
    context.body !== null &&
    'authorization_response_iss_parameter_supported' in context.body
  )
    delete context.body.authorization_response_iss_parameter_supported;
}

const isToken = (body: unknown): body is { id_token: string } =>
  typeof body === 'object' && body !== null && 'id_token' in body;

const configurationOf = (key: JWK): Configuration => ({
  clients: [
    {
      client_id: 'broadside',
      client_secret: 'a secret of the client',
      redirect_uris: redirectUris.map((uri) => uri.replace('*', '0')),
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
