import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pair } from '../authority.ts';
import { type SecuredBroker, startSecuredBroker } from './secured-broker.ts';
import { tokenClient } from './token-server.ts';

export type Environment = Readonly<Record<string, string>>;

/** A secured broker, and the settings of its ways in, with certificates in files as an operator has them. */
export interface SecuredWays {
  readonly broker: SecuredBroker;
  readonly caFile: string;
  /** A file with this text and a line break. */
  file(name: string, text: string): Promise<string>;
  tls(way: 'mutual' | 'expired' | 'elsewhere'): Environment;
  /** A user whose password is their name and `-secret`. */
  as(user: string, mechanism: string): Environment;
  /** The client of the broker's token server. */
  withToken(): Environment;
  clientCertificate(name: string, pair: Pair): Promise<Environment>;
  close(): Promise<void>;
}

export async function openSecuredWays(): Promise<SecuredWays> {
  const [broker, folder] = await Promise.all([
    startSecuredBroker(),
    mkdtemp(join(tmpdir(), 'broadside-pem-')),
  ]);
  const file = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, `${text}\n`);
    return path;
  };
  const caFile = await file('ca.pem', broker.authority.cert);
  const secured = (protocol: 'SSL' | 'SASL_SSL', brokers: string): Environment => ({
    KAFKA_BROKERS: brokers,
    KAFKA_SECURITY_PROTOCOL: protocol,
    KAFKA_SSL_CA_FILE: caFile,
  });
  return {
    broker,
    caFile,
    file,
    tls: (way) => secured('SSL', broker.address[way]),
    as: (user, mechanism) => ({
      ...secured('SASL_SSL', broker.address.scram),
      KAFKA_SASL_MECHANISM: mechanism,
      KAFKA_SASL_USERNAME: user,
      KAFKA_SASL_PASSWORD: `${user}-secret`,
    }),
    withToken: () => ({
      ...secured('SASL_SSL', broker.address.oauth),
      KAFKA_SASL_MECHANISM: 'OAUTHBEARER',
      KAFKA_OAUTH_TOKEN_URL: broker.tokens.url,
      KAFKA_OAUTH_CLIENT_ID: tokenClient.id,
      KAFKA_OAUTH_CLIENT_SECRET: tokenClient.secret,
      KAFKA_OAUTH_EXTENSIONS: 'logicalCluster=lkc-1,identityPoolId=pool-2',
    }),
    clientCertificate: async (name, { cert, key }) => ({
      KAFKA_SSL_CERTIFICATE_FILE: await file(`${name}.pem`, cert),
      KAFKA_SSL_KEY_FILE: await file(`${name}-key.pem`, key),
    }),
    close: async () => {
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The environment without some of its variables. */
export const without = (environment: Environment, ...names: readonly string[]): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
