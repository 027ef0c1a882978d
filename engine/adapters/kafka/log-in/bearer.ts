import type { Mechanism } from 'kafkajs';
import type { SaslMechanism } from '../../../contract/settings/kafka-settings.ts';
import { LogInRefused } from './errors.ts';
import { refusedLine } from './refused-line.ts';

const SEPARATOR = '\u0001';

export interface BearerOptions {
  /** For people: the token may be of AWS. */
  readonly mechanism: SaslMechanism;
  /** Called for each log-in; what it throws ends the log-in. */
  readonly token: () => Promise<string>;
  readonly extensions: Readonly<Record<string, string>>;
}

/**
 * SASL OAUTHBEARER (RFC 7628). Ours, because kafkajs 2.2.4 does not read the answer: a broker tells of a token that
 * it does not take in a challenge, which kafkajs holds for a success, and then meets a closed connection.
 */
export function bearerMechanism({ mechanism, token, extensions }: BearerOptions): Mechanism {
  return {
    mechanism: 'OAUTHBEARER',
    authenticationProvider: ({ saslAuthenticate }) => ({
      authenticate: async () => {
        const exchange = (message: string) =>
          saslAuthenticate<string>({ request: { encode: () => framed(message) }, response: asText });
        const challenge = await exchange(firstMessage(await token(), extensions));
        if (!challenge) return;
        // Section 3.2.3: the client acknowledges the error, and the server ends the exchange.
        await exchange(SEPARATOR).catch(() => undefined);
        throw new LogInRefused(refusedLine(mechanism, statusOf(challenge)));
      },
    }),
  };
}

export const firstMessage = (token: string, extensions: Readonly<Record<string, string>>): string =>
  [
    'n,,',
    `auth=Bearer ${token}`,
    ...Object.entries(extensions).map(([name, value]) => `${name}=${value}`),
    '',
    '',
  ].join(SEPARATOR);

/** Kafka's protocol puts the length before the bytes. */
function framed(message: string): Buffer {
  const bytes = Buffer.from(message);
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const asText = {
  decode: (bytes: Buffer) => bytes.subarray(4),
  parse: (bytes: Buffer) => bytes.toString(),
};

/** The standard has one word for it; nothing else of a broker's text is repeated. */
const statusOf = (challenge: string): string => /"status"\s*:\s*"([a-z_]{1,40})"/.exec(challenge)?.[1] ?? '';
