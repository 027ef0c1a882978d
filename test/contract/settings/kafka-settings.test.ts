// tier: unit
import { describe, expect, it } from 'vitest';
import { kafkaContradictions, type kafkaSettings } from '../../../engine/contract/settings/kafka-settings.ts';
import type { Values } from '../../../engine/contract/settings/settings.ts';

type KafkaValues = Values<typeof kafkaSettings>;

/** As they are read where nothing but the brokers is set. */
const nothing: KafkaValues = {
  kafkaBrokers: ['b1.example.com:9092'],
  kafkaTopicPrefix: 'broadside.',
  kafkaSecurityProtocol: 'PLAINTEXT',
  kafkaSslCa: null,
  kafkaSslCertificate: null,
  kafkaSslKey: null,
  kafkaSslKeyPassword: null,
  kafkaSslServerName: null,
  kafkaSaslMechanism: null,
  kafkaSaslUsername: null,
  kafkaSaslPassword: null,
  kafkaOauthTokenUrl: null,
  kafkaOauthClientId: null,
  kafkaOauthClientSecret: null,
  kafkaOauthScope: null,
  kafkaOauthAudience: null,
  kafkaOauthExtensions: [],
  kafkaAwsRegion: null,
  kafkaReplicationFactor: null,
  kafkaMinInsyncReplicas: null,
  kafkaPartitions: 12,
  kafkaCompression: 'none',
};
const password = { kafkaSaslUsername: 'ada', kafkaSaslPassword: 'secret' } as const;
const oauth = {
  kafkaSecurityProtocol: 'SASL_SSL',
  kafkaSaslMechanism: 'OAUTHBEARER',
  kafkaOauthTokenUrl: 'https://login.example.com/token',
  kafkaOauthClientId: 'broadside',
  kafkaOauthClientSecret: 'secret',
} as const;
const msk = {
  kafkaSecurityProtocol: 'SASL_SSL',
  kafkaSaslMechanism: 'AWS_MSK_IAM',
  kafkaAwsRegion: 'eu-west-1',
} as const;

const linesOf = (given: Partial<KafkaValues>) => kafkaContradictions({ ...nothing, ...given });

describe('settings of Kafka', () => {
  it.each([
    ['nothing but brokers', {}],
    ['TLS', { kafkaSecurityProtocol: 'SSL', kafkaSslCa: 'pem' }],
    [
      'a client certificate',
      { kafkaSecurityProtocol: 'SSL', kafkaSslCertificate: 'pem', kafkaSslKey: 'pem' },
    ],
    ['PLAIN', { kafkaSecurityProtocol: 'SASL_SSL', kafkaSaslMechanism: 'PLAIN', ...password }],
    ['SCRAM', { kafkaSecurityProtocol: 'SASL_PLAINTEXT', kafkaSaslMechanism: 'SCRAM-SHA-256', ...password }],
    [
      'OAuth',
      { ...oauth, kafkaOauthScope: 'kafka', kafkaOauthExtensions: ['logicalCluster=lkc-1', 'a=b=c'] },
    ],
    ['MSK', { ...msk, kafkaBrokers: ['b-1.demo.x1.c2.kafka.eu-west-1.amazonaws.com:9098'] }],
    ['copies', { kafkaReplicationFactor: 3, kafkaMinInsyncReplicas: 2 }],
  ] satisfies [string, Partial<KafkaValues>][])('that agree are taken: %s', (_, given) => {
    expect(linesOf(given)).toEqual([]);
  });

  it.each([
    [{ kafkaBrokers: [] }, ['KAFKA_BROKERS is missing, and the log is Kafka']],
    [{ kafkaBrokers: ['b1.example.com'] }, [/^KAFKA_BROKERS must be host:port each/]],
    [{ kafkaBrokers: ['https://b1.example.com:9092'] }, [/^KAFKA_BROKERS must be host:port each/]],
    [{ kafkaBrokers: ['b1.example.com:90920'] }, [/^KAFKA_BROKERS must be host:port each/]],
    [
      { kafkaSslCa: 'pem', kafkaSslServerName: 'x' },
      [
        'KAFKA_SSL_CA is set, and KAFKA_SECURITY_PROTOCOL is PLAINTEXT, which has no TLS',
        'KAFKA_SSL_SERVER_NAME is set, and KAFKA_SECURITY_PROTOCOL is PLAINTEXT, which has no TLS',
      ],
    ],
    [
      { kafkaSecurityProtocol: 'SSL', kafkaSslCertificate: 'pem' },
      ['KAFKA_SSL_KEY is missing, and KAFKA_SSL_CERTIFICATE is set'],
    ],
    [
      { kafkaSecurityProtocol: 'SSL', kafkaSslKeyPassword: 'x' },
      ['KAFKA_SSL_KEY is missing, and KAFKA_SSL_KEY_PASSWORD is set'],
    ],
    [
      { kafkaSaslMechanism: 'PLAIN', ...password },
      [
        'KAFKA_SASL_MECHANISM is set, and KAFKA_SECURITY_PROTOCOL is PLAINTEXT, which has no log-in',
        'KAFKA_SASL_USERNAME is set, and KAFKA_SECURITY_PROTOCOL is PLAINTEXT, which has no log-in',
        'KAFKA_SASL_PASSWORD is set, and KAFKA_SECURITY_PROTOCOL is PLAINTEXT, which has no log-in',
      ],
    ],
    [
      { kafkaSecurityProtocol: 'SASL_SSL', ...password },
      ['KAFKA_SASL_MECHANISM is missing, and KAFKA_SECURITY_PROTOCOL is SASL_SSL'],
    ],
    [
      { kafkaSecurityProtocol: 'SASL_SSL', kafkaSaslMechanism: 'SCRAM-SHA-512', kafkaAwsRegion: 'eu-west-1' },
      [
        'KAFKA_SASL_USERNAME is missing, and KAFKA_SASL_MECHANISM is SCRAM-SHA-512',
        'KAFKA_SASL_PASSWORD is missing, and KAFKA_SASL_MECHANISM is SCRAM-SHA-512',
        'KAFKA_AWS_REGION is set, and KAFKA_SASL_MECHANISM is SCRAM-SHA-512',
      ],
    ],
    [
      { ...oauth, kafkaOauthClientSecret: null, kafkaSaslPassword: 'x' },
      [
        'KAFKA_OAUTH_CLIENT_SECRET is missing, and KAFKA_SASL_MECHANISM is OAUTHBEARER',
        'KAFKA_SASL_PASSWORD is set, and KAFKA_SASL_MECHANISM is OAUTHBEARER',
      ],
    ],
    [{ ...oauth, kafkaOauthExtensions: ['auth=x'] }, [/^KAFKA_OAUTH_EXTENSIONS must be name=value/]],
    [
      { ...msk, kafkaSecurityProtocol: 'SASL_PLAINTEXT' },
      ['KAFKA_SECURITY_PROTOCOL must be SASL_SSL where KAFKA_SASL_MECHANISM is AWS_MSK_IAM'],
    ],
    [
      { ...msk, kafkaBrokers: ['b-1.demo.x1.c2.kafka.us-east-1.amazonaws.com:9098'] },
      ['KAFKA_AWS_REGION is eu-west-1, and KAFKA_BROKERS are in us-east-1'],
    ],
    [
      { kafkaReplicationFactor: 2, kafkaMinInsyncReplicas: 3 },
      ['KAFKA_MIN_INSYNC_REPLICAS is 3, and KAFKA_REPLICATION_FACTOR is only 2'],
    ],
  ] satisfies [Partial<KafkaValues>, (string | RegExp)[]][])(
    'that contradict each other are all named: %o',
    (given, lines) => {
      expect(linesOf(given)).toEqual(
        lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
      );
    },
  );

  it('of which one is wrong by itself are judged without it', () => {
    const { kafkaSaslMechanism: _, ...others } = { ...nothing, ...password };
    expect(kafkaContradictions({ ...others, kafkaSecurityProtocol: 'SASL_SSL' })).toEqual([]);
  });
});
