import type { Clock } from '../../../contract/concurrency/clock.ts';
import type { kafkaSettings } from '../../../contract/settings/kafka-settings.ts';
import type { Values } from '../../../contract/settings/settings.ts';
import type { KafkaLogger, KafkaLogIn } from '../options.ts';
import { bearerMechanism } from './bearer.ts';
import { fetchToken } from './client-credentials.ts';
import { signMskToken } from './msk-iam.ts';
import { createTokenCache, type Token } from './token-cache.ts';

type LogInSettings = Values<typeof kafkaSettings>;

/** How connections log in; null where the port has no log-in. The settings agree with each other. */
export function logInOf(settings: LogInSettings, clock: Clock, logger: KafkaLogger): KafkaLogIn | null {
  const { kafkaSecurityProtocol: protocol, kafkaSaslMechanism: mechanism } = settings;
  if (!protocol.startsWith('SASL_') || mechanism === null) return null;
  const username = settings.kafkaSaslUsername ?? '';
  const password = settings.kafkaSaslPassword ?? '';
  const bearer = (fetch: () => Promise<Token>): KafkaLogIn => {
    const { get: token, failure } = createTokenCache({ fetchToken: fetch, clock, logger });
    const sasl = bearerMechanism({ mechanism, token, extensions: extensionsOf(settings) });
    return { mechanism, sasl, failure };
  };
  switch (mechanism) {
    case 'PLAIN':
      return { mechanism, sasl: { mechanism: 'plain', username, password } };
    case 'SCRAM-SHA-256':
      return { mechanism, sasl: { mechanism: 'scram-sha-256', username, password } };
    case 'SCRAM-SHA-512':
      return { mechanism, sasl: { mechanism: 'scram-sha-512', username, password } };
    case 'OAUTHBEARER':
      return bearer(() =>
        fetchToken({
          tokenUrl: settings.kafkaOauthTokenUrl ?? '',
          clientId: settings.kafkaOauthClientId ?? '',
          clientSecret: settings.kafkaOauthClientSecret ?? '',
          scope: settings.kafkaOauthScope,
          audience: settings.kafkaOauthAudience,
          clock,
        }),
      );
    case 'AWS_MSK_IAM':
      return bearer(() => signMskToken(settings.kafkaAwsRegion ?? ''));
  }
}

const extensionsOf = ({ kafkaOauthExtensions }: LogInSettings): Record<string, string> =>
  Object.fromEntries(
    kafkaOauthExtensions.map((text) => {
      const [name = '', ...value] = text.split('=');
      return [name, value.join('=')];
    }),
  );
