import { certificatePem, privateKeyPem } from './pem.ts';
import {
  choice,
  list,
  optionalChoice,
  optionalText,
  optionalWhole,
  text,
  type Values,
  whole,
} from './settings.ts';

/** Settings of a Kafka cluster, of your own or a managed one. The words are Kafka's, as its vendors write them. */
export const securityProtocols = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const;
export type SecurityProtocol = (typeof securityProtocols)[number];
export const saslMechanisms = [
  'PLAIN',
  'SCRAM-SHA-256',
  'SCRAM-SHA-512',
  'OAUTHBEARER',
  'AWS_MSK_IAM',
] as const;
export type SaslMechanism = (typeof saslMechanisms)[number];
export const compressions = ['none', 'gzip', 'zstd'] as const;
export type Compression = (typeof compressions)[number];

export const kafkaSettings = {
  kafkaBrokers: list(
    'KAFKA_BROKERS',
    'Kafka brokers as host:port, separated by commas; with LOG_BACKEND=kafka.',
    [],
  ),
  kafkaTopicPrefix: text(
    'KAFKA_TOPIC_PREFIX',
    'Goes before every topic and group name, to share a cluster.',
    {
      default: 'broadside.',
      pattern: '^[a-zA-Z0-9._-]{1,100}$',
      shape: 'letters, digits, dots, dashes and underscores',
    },
  ),
  kafkaSecurityProtocol: choice(
    'KAFKA_SECURITY_PROTOCOL',
    'What the brokers’ port speaks: PLAINTEXT, SSL (TLS), SASL_PLAINTEXT (a log-in) or SASL_SSL (both).',
    securityProtocols,
    'PLAINTEXT',
  ),
  kafkaSslCa: optionalText(
    'KAFKA_SSL_CA',
    'PEM of the authorities that sign the brokers’ certificates; without it the public ones that Node knows.',
    certificatePem,
  ),
  kafkaSslCertificate: optionalText(
    'KAFKA_SSL_CERTIFICATE',
    'PEM of the client certificate with its chain, where the brokers want one; with KAFKA_SSL_KEY.',
    certificatePem,
  ),
  kafkaSslKey: optionalText(
    'KAFKA_SSL_KEY',
    'PEM of the private key of that certificate.',
    privateKeyPem('KAFKA_SSL_KEY'),
  ),
  kafkaSslKeyPassword: optionalText(
    'KAFKA_SSL_KEY_PASSWORD',
    'Password of that private key, if it is encrypted.',
    {
      secret: true,
    },
  ),
  kafkaSslServerName: optionalText(
    'KAFKA_SSL_SERVER_NAME',
    'Name in the certificates of the brokers, where it is not the host that they are reached by.',
    { pattern: '^[A-Za-z0-9*_-]+(\\.[A-Za-z0-9_-]+)*$', shape: 'a host name such as kafka.example.com' },
  ),
  kafkaSaslMechanism: optionalChoice(
    'KAFKA_SASL_MECHANISM',
    'How to log in there: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER or AWS_MSK_IAM.',
    saslMechanisms,
  ),
  kafkaSaslUsername: optionalText(
    'KAFKA_SASL_USERNAME',
    'User of PLAIN or SCRAM, or the API key of Confluent Cloud.',
  ),
  kafkaSaslPassword: optionalText(
    'KAFKA_SASL_PASSWORD',
    'Password of that user, or the secret of the API key.',
    { secret: true },
  ),
  kafkaOauthTokenUrl: optionalText(
    'KAFKA_OAUTH_TOKEN_URL',
    'Token endpoint (client credentials) of OAUTHBEARER; over https, on loopback over http too.',
    {
      pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:|/))[^\\s]+$',
      shape: 'a URL such as https://login.example.com/oauth2/token',
    },
  ),
  kafkaOauthClientId: optionalText('KAFKA_OAUTH_CLIENT_ID', 'Client that asks it for tokens.'),
  kafkaOauthClientSecret: optionalText('KAFKA_OAUTH_CLIENT_SECRET', 'Secret of that client.', {
    secret: true,
  }),
  kafkaOauthScope: optionalText(
    'KAFKA_OAUTH_SCOPE',
    'Scope of the tokens, if the endpoint or the brokers want one.',
  ),
  kafkaOauthAudience: optionalText(
    'KAFKA_OAUTH_AUDIENCE',
    'Audience of the tokens, if the endpoint wants to be told.',
  ),
  kafkaOauthExtensions: list(
    'KAFKA_OAUTH_EXTENSIONS',
    'SASL extensions as name=value, separated by commas: Confluent Cloud wants logicalCluster and identityPoolId.',
    [],
  ),
  kafkaAwsRegion: optionalText(
    'KAFKA_AWS_REGION',
    'Region of the MSK cluster, for AWS_MSK_IAM; credentials come from where the AWS SDK finds them.',
    { pattern: '^[a-z]{2}(-[a-z]+)+-\\d$', shape: 'a region such as eu-west-1' },
  ),
  kafkaReplicationFactor: optionalWhole(
    'KAFKA_REPLICATION_FACTOR',
    'Copies of the topics that Broadside creates; without it the cluster’s own default.',
    { minimum: 1, maximum: 32 },
  ),
  kafkaMinInsyncReplicas: optionalWhole(
    'KAFKA_MIN_INSYNC_REPLICAS',
    'Copies that must have a message before it counts as written, of these topics; without it the cluster’s own default.',
    { minimum: 1, maximum: 32 },
  ),
  kafkaPartitions: whole(
    'KAFKA_PARTITIONS',
    'Partitions of the topics that Broadside creates: the most engines’ handler calls that one topic keeps busy.',
    { default: 12, minimum: 1, maximum: 1_000 },
  ),
  kafkaCompression: choice(
    'KAFKA_COMPRESSION',
    'Compression of messages: none, gzip or zstd; every process reads all of them, whatever it is set to.',
    compressions,
    'none',
  ),
} as const;

type KafkaValues = Partial<Values<typeof kafkaSettings>>;
type Name = keyof typeof kafkaSettings;

const encryption: readonly Name[] = [
  'kafkaSslCa',
  'kafkaSslCertificate',
  'kafkaSslKey',
  'kafkaSslKeyPassword',
  'kafkaSslServerName',
];
const logIn: readonly Name[] = [
  'kafkaSaslUsername',
  'kafkaSaslPassword',
  'kafkaOauthTokenUrl',
  'kafkaOauthClientId',
  'kafkaOauthClientSecret',
  'kafkaOauthScope',
  'kafkaOauthAudience',
  'kafkaOauthExtensions',
  'kafkaAwsRegion',
];
const passwordNeeds: readonly Name[] = ['kafkaSaslUsername', 'kafkaSaslPassword'];
const needs: Readonly<Record<SaslMechanism, readonly Name[]>> = {
  PLAIN: passwordNeeds,
  'SCRAM-SHA-256': passwordNeeds,
  'SCRAM-SHA-512': passwordNeeds,
  OAUTHBEARER: ['kafkaOauthTokenUrl', 'kafkaOauthClientId', 'kafkaOauthClientSecret'],
  AWS_MSK_IAM: ['kafkaAwsRegion'],
};
const mayHave: Partial<Record<SaslMechanism, readonly Name[]>> = {
  OAUTHBEARER: ['kafkaOauthScope', 'kafkaOauthAudience', 'kafkaOauthExtensions'],
};

/** What the settings say against each other, a line each. A value that is wrong by itself is undefined here. */
export function kafkaContradictions(values: KafkaValues): string[] {
  return [
    ...brokerLines(values),
    ...encryptionLines(values),
    ...logInLines(values),
    ...extensionLines(values),
    ...regionLines(values),
    ...copyLines(values),
  ];
}

const envOf = (name: Name): string => kafkaSettings[name].env;
const isMissing = (values: KafkaValues, name: Name): boolean => values[name] === null;
function isSet(values: KafkaValues, name: Name): boolean {
  const value = values[name];
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}

/** `kafkajs` takes everything after the first colon for the port: an address in brackets would not be reached. */
const brokerText = /^[A-Za-z0-9._-]+:\d{1,5}$/;

function brokerLines({ kafkaBrokers = [] }: KafkaValues): string[] {
  if (kafkaBrokers.length === 0) return ['KAFKA_BROKERS is missing, and the log is Kafka'];
  const isRight = kafkaBrokers.every(
    (broker) => brokerText.test(broker) && Number(broker.split(':')[1]) < 65_536,
  );
  return isRight
    ? []
    : ['KAFKA_BROKERS must be host:port each, separated by commas, such as b1.example.com:9092'];
}

function encryptionLines(values: KafkaValues): string[] {
  const { kafkaSecurityProtocol: protocol } = values;
  if (protocol === 'PLAINTEXT' || protocol === 'SASL_PLAINTEXT') {
    return encryption
      .filter((name) => isSet(values, name))
      .map((name) => `${envOf(name)} is set, and KAFKA_SECURITY_PROTOCOL is ${protocol}, which has no TLS`);
  }
  const pairs = [
    ['kafkaSslCertificate', 'kafkaSslKey'],
    ['kafkaSslKey', 'kafkaSslCertificate'],
    ['kafkaSslKeyPassword', 'kafkaSslKey'],
  ] as const;
  return pairs
    .filter(([given, other]) => isSet(values, given) && isMissing(values, other))
    .map(([given, other]) => `${envOf(other)} is missing, and ${envOf(given)} is set`);
}

function logInLines(values: KafkaValues): string[] {
  const { kafkaSecurityProtocol: protocol, kafkaSaslMechanism: mechanism } = values;
  if (protocol === undefined || mechanism === undefined) return [];
  if (!protocol.startsWith('SASL_')) {
    return (['kafkaSaslMechanism', ...logIn] as const)
      .filter((name) => isSet(values, name))
      .map(
        (name) => `${envOf(name)} is set, and KAFKA_SECURITY_PROTOCOL is ${protocol}, which has no log-in`,
      );
  }
  if (mechanism === null) {
    return [`KAFKA_SASL_MECHANISM is missing, and KAFKA_SECURITY_PROTOCOL is ${protocol}`];
  }
  const needed = needs[mechanism];
  const allowed = [...needed, ...(mayHave[mechanism] ?? [])];
  const lines = [
    ...needed.filter((name) => isMissing(values, name)).map((name) => `${envOf(name)} is missing, and`),
    ...logIn
      .filter((name) => !allowed.includes(name) && isSet(values, name))
      .map((name) => `${envOf(name)} is set, and`),
  ].map((line) => `${line} KAFKA_SASL_MECHANISM is ${mechanism}`);
  if (mechanism === 'AWS_MSK_IAM' && protocol === 'SASL_PLAINTEXT') {
    lines.push('KAFKA_SECURITY_PROTOCOL must be SASL_SSL where KAFKA_SASL_MECHANISM is AWS_MSK_IAM');
  }
  return lines;
}

/** RFC 7628: names of letters, and printable values. `auth` is the token's own. */
const extensionText = /^(?!auth=)[A-Za-z]+=[\x21-\x7e]+$/;

function extensionLines({ kafkaOauthExtensions = [] }: KafkaValues): string[] {
  if (kafkaOauthExtensions.every((one) => extensionText.test(one))) return [];
  return ['KAFKA_OAUTH_EXTENSIONS must be name=value each, such as logicalCluster=lkc-1a2b3c'];
}

const mskHost = /\.kafka(?:-serverless)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?:\d+$/;

/** A token signed for another region is refused with no word of why. */
function regionLines({ kafkaAwsRegion, kafkaBrokers = [] }: KafkaValues): string[] {
  const regions = new Set(kafkaBrokers.flatMap((broker) => mskHost.exec(broker)?.[1] ?? []));
  if (!kafkaAwsRegion || regions.size === 0 || regions.has(kafkaAwsRegion)) return [];
  return [`KAFKA_AWS_REGION is ${kafkaAwsRegion}, and KAFKA_BROKERS are in ${[...regions].join(', ')}`];
}

function copyLines({ kafkaReplicationFactor: copies, kafkaMinInsyncReplicas: least }: KafkaValues): string[] {
  if (!copies || !least || least <= copies) return [];
  return [`KAFKA_MIN_INSYNC_REPLICAS is ${least}, and KAFKA_REPLICATION_FACTOR is only ${copies}`];
}
