import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../engine/adapters/postgres/free-port.ts';
import { type Authority, makeAuthority } from '../authority.ts';
import { javaArguments, startKafkaBroker } from '../kafka-broker.ts';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts';
import { classArchive } from './class-archive.ts';
import { kafkaLibraries } from './libraries.ts';
import type { Properties } from './properties.ts';
import { brokersAudience, startTokenServer, type TokenServer, tokenIssuer } from './token-server.ts';

/**
 * One real broker with a port for each way in, so that a test of what goes wrong need not start another:
 *
 * - `plain`: no TLS and no log-in, and every right; for the test itself.
 * - `scram`: SASL_SSL with PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512.
 * - `brief`: the same behind `briefWay`, where a log-in lasts two seconds.
 * - `oauth`: SASL_SSL with OAUTHBEARER, for tokens of `tokens`; a log-in lasts as long as its token.
 * - `mutual`: TLS that wants a client certificate.
 * - `expired`, `elsewhere`: TLS whose certificate has expired, or is for `kafka.example.com`.
 *
 * Its users are `alice` (password `alice-secret`), who may use what begins with `broadside.`, and `bob`
 * (`bob-secret`), who may nothing.
 */
const listeners = {
  PLAINTEXT: 'PLAINTEXT',
  SCRAM: 'SASL_SSL',
  BRIEF: 'SASL_SSL',
  OAUTH: 'SASL_SSL',
  MUTUAL: 'SSL',
  EXPIRED: 'SSL',
  ELSEWHERE: 'SSL',
} as const;
type Listener = keyof typeof listeners;
type Way = 'plain' | Lowercase<Exclude<Listener, 'PLAINTEXT'>>;

export interface SecuredBroker {
  /** `host:port` of each way in. */
  readonly address: Readonly<Record<Way, string>>;
  readonly briefWay: TcpProxy;
  readonly authority: Authority;
  /** Issues tokens for `alice`. */
  readonly tokens: TokenServer;
  /** Takes the user's SCRAM-SHA-512 password away, or gives one; it takes a Java of its own. */
  setPassword(user: string, password: string | null): Promise<void>;
  stop(): Promise<void>;
}

export const BRIEF_LOG_IN_MS = 2_000;
const users = ['alice', 'bob'];

/** It needs nine ports for itself, and another test may take one of them before it listens: then with others. */
export async function startSecuredBroker(tries = 3): Promise<SecuredBroker> {
  await using opened = new AsyncDisposableStack();
  try {
    const broker = await openSecuredBroker(opened);
    opened.move();
    return broker;
  } catch (error) {
    if (tries === 1) throw error;
  }
  await opened.disposeAsync();
  return startSecuredBroker(tries - 1);
}

/** @param opened takes what is left where the broker does not come up. */
async function openSecuredBroker(opened: AsyncDisposableStack): Promise<SecuredBroker> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-secured-'));
  const authority = await makeAuthority();
  const ports = new Map<Listener, number>();
  for (const name of Object.keys(listeners) as Listener[]) ports.set(name, await freePort());
  const portOf = (name: Listener): number => ports.get(name) ?? 0;
  const tokens = await startTokenServer('alice');
  opened.defer(() => tokens.close());
  const jwks = join(folder, 'jwks.json');
  await writeFile(jwks, tokens.jwks);
  const briefWay = await startTcpProxy('127.0.0.1', portOf('BRIEF'));
  opened.defer(() => briefWay.close());
  const controllerPort = await freePort();
  const addresses = (advertised: boolean) =>
    Object.keys(listeners).map((name) => {
      const port = advertised && name === 'BRIEF' ? briefWay.port : portOf(name as Listener);
      return `${name}://127.0.0.1:${port}`;
    });
  const broker = await startKafkaBroker({
    folder,
    port: portOf('PLAINTEXT'),
    controllerPort,
    scramUsers: users.flatMap((name) =>
      (['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const).map((mechanism) => ({
        mechanism,
        name,
        password: `${name}-secret`,
      })),
    ),
    properties: {
      listeners: [...addresses(false), `CONTROLLER://127.0.0.1:${controllerPort}`].join(','),
      'advertised.listeners': addresses(true).join(','),
      'listener.security.protocol.map': [...Object.entries(listeners), ['CONTROLLER', 'PLAINTEXT']]
        .map((pair) => pair.join(':'))
        .join(','),
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users': 'User:ANONYMOUS;User:CN=engine',
      ...(await certificates(folder, authority)),
      ...logIns('scram'),
      ...logIns('brief'),
      'listener.name.brief.scram-sha-512.connections.max.reauth.ms': BRIEF_LOG_IN_MS,
      ...bearerLogIn('oauth', `file://${jwks}`),
    },
    javaArguments: [`-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=file://${jwks}`],
  });
  const of = (name: Listener): string => `127.0.0.1:${portOf(name)}`;
  return {
    address: {
      plain: of('PLAINTEXT'),
      scram: of('SCRAM'),
      brief: `127.0.0.1:${briefWay.port}`,
      oauth: of('OAUTH'),
      mutual: of('MUTUAL'),
      expired: of('EXPIRED'),
      elsewhere: of('ELSEWHERE'),
    },
    briefWay,
    authority,
    tokens,
    setPassword: (user, password) => setPassword(of('PLAINTEXT'), user, password),
    stop: async () => {
      await briefWay.close();
      await tokens.close();
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function certificates(folder: string, authority: Authority): Promise<Properties> {
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, authority.cert);
  const keyStore = async (listener: string, hosts: readonly string[], expired = false) => {
    const { cert, key } = await authority.issue({ name: 'broker', hosts, expired });
    const file = join(folder, `${listener}.pem`);
    await writeFile(file, [key, cert, authority.cert].join('\n'), { mode: 0o600 });
    return {
      [`listener.name.${listener}.ssl.keystore.type`]: 'PEM',
      [`listener.name.${listener}.ssl.keystore.location`]: file,
    };
  };
  const here = ['localhost', '127.0.0.1'];
  return {
    ...(await keyStore('scram', here)),
    ...(await keyStore('brief', here)),
    ...(await keyStore('oauth', here)),
    ...(await keyStore('mutual', here)),
    ...(await keyStore('expired', here, true)),
    ...(await keyStore('elsewhere', ['kafka.example.com'])),
    'listener.name.mutual.ssl.client.auth': 'required',
    'listener.name.mutual.ssl.truststore.type': 'PEM',
    'listener.name.mutual.ssl.truststore.location': ca,
  };
}

function logIns(listener: string): Properties {
  const modules = 'org.apache.kafka.common.security';
  const plainUsers = users.map((name) => `user_${name}="${name}-secret"`).join(' ');
  return {
    [`listener.name.${listener}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    [`listener.name.${listener}.plain.sasl.jaas.config`]: `${modules}.plain.PlainLoginModule required ${plainUsers};`,
    [`listener.name.${listener}.scram-sha-256.sasl.jaas.config`]: `${modules}.scram.ScramLoginModule required;`,
    [`listener.name.${listener}.scram-sha-512.sasl.jaas.config`]: `${modules}.scram.ScramLoginModule required;`,
  };
}

/** Kafka's own validator of signed tokens, as it would read a provider's keys. */
function bearerLogIn(listener: string, jwks: string): Properties {
  const modules = 'org.apache.kafka.common.security.oauthbearer';
  const mechanism = `listener.name.${listener}.oauthbearer`;
  return {
    [`listener.name.${listener}.sasl.enabled.mechanisms`]: 'OAUTHBEARER',
    [`${mechanism}.sasl.jaas.config`]: `${modules}.OAuthBearerLoginModule required;`,
    [`${mechanism}.sasl.server.callback.handler.class`]: `${modules}.OAuthBearerValidatorCallbackHandler`,
    // Not Kafka 4.1.0's default, which checks neither a token's signature nor its audience.
    'sasl.oauthbearer.jwt.validator.class': `${modules}.BrokerJwtValidator`,
    'sasl.oauthbearer.jwks.endpoint.url': jwks,
    'sasl.oauthbearer.expected.audience': brokersAudience,
    'sasl.oauthbearer.expected.issuer': tokenIssuer,
    [`${mechanism}.connections.max.reauth.ms`]: 3_600_000,
  };
}

async function setPassword(address: string, user: string, password: string | null): Promise<void> {
  const change =
    password === null
      ? ['--delete-config', 'SCRAM-SHA-512']
      : ['--add-config', `SCRAM-SHA-512=[password=${password}]`];
  const libraries = await kafkaLibraries();
  await promisify(execFile)('java', [
    ...(await classArchive(libraries)).ready,
    ...javaArguments(libraries),
    'kafka.admin.ConfigCommand',
    ...['--bootstrap-server', address, '--alter', '--entity-type', 'users', '--entity-name', user],
    ...change,
  ]);
}
