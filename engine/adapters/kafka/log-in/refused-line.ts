import type { SaslMechanism } from '../../../contract/settings/kafka-settings.ts';

const password = 'check KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD';
const advice: Readonly<Record<SaslMechanism, string>> = {
  PLAIN: password,
  'SCRAM-SHA-256': password,
  'SCRAM-SHA-512': password,
  OAUTHBEARER:
    'they must trust what KAFKA_OAUTH_TOKEN_URL issues; check KAFKA_OAUTH_SCOPE, KAFKA_OAUTH_AUDIENCE and KAFKA_OAUTH_EXTENSIONS',
  AWS_MSK_IAM: 'the AWS identity needs kafka-cluster:Connect on the cluster; check KAFKA_AWS_REGION',
};

/** @param status the brokers' own word for it, such as `invalid_token`; empty where they have none. */
export const refusedLine = (mechanism: SaslMechanism, status = ''): string =>
  `The Kafka brokers refuse the log-in with ${mechanism}${status === '' ? '' : ` (${status})`}: ${advice[mechanism]}`;
