import { causesOf } from '../../contract/causes.ts';
import { LogInAway, LogInRefused } from './log-in/errors.ts';
import { refusedLine } from './log-in/refused-line.ts';
import type { KafkaSettings } from './options.ts';

/**
 * What an error of the brokers means to whoever runs Broadside: one line that says how to fix it, and which
 * setting to check. Nothing of a secret is in it.
 */
export interface Explained {
  /**
   * - `refused`: every connection would end the same, until certificates or credentials change.
   * - `wrong`: this request would, until a setting or a right changes.
   * - `away`: it may pass by itself, or be a setting.
   */
  readonly kind: 'refused' | 'wrong' | 'away';
  readonly line: string;
}

/** What kafkajs and Node say in their errors. */
interface Trouble extends Error {
  readonly code?: unknown;
  /** Of an answer of the protocol. */
  readonly type?: unknown;
  readonly broker?: unknown;
}

/** Null where there is nothing to add to the error's own words. */
export function explain(error: unknown, settings: KafkaSettings): Explained | null {
  for (const each of troublesOf(error, settings)) {
    const explained = ofTls(each, settings) ?? ofLogIn(each, settings) ?? ofRequest(each, settings);
    if (explained !== null) return explained;
  }
  return null;
}

/**
 * `kafkajs` 2.2.4 begins to log in before it asks for a token. If there is none, it tries again on the same connection,
 * and all that comes out of it is that the broker expected something else.
 */
function troublesOf(error: unknown, { logIn }: KafkaSettings): Trouble[] {
  const troubles: Trouble[] = causesOf(error);
  const isBehindALogIn = troubles.some(({ type }) => type === 'ILLEGAL_SASL_STATE');
  return isBehindALogIn ? [...causesOf(logIn?.failure?.()), ...troubles] : troubles;
}

/** At a start, when nothing has worked yet; later the same errors are of brokers that stop and start. */
export function explainStart(error: unknown, settings: KafkaSettings): Explained | null {
  const explained = explain(error, settings);
  if (explained !== null) return explained;
  const { protocol } = settings;
  for (const trouble of causesOf(error) as Trouble[]) {
    if (trouble.type === 'ILLEGAL_SASL_STATE') {
      return refused(
        `${capital(nameOf(trouble))} has no log-in on this port: KAFKA_SECURITY_PROTOCOL is ${protocol}, and may have to be PLAINTEXT or SSL`,
      );
    }
    if (trouble.message === 'Closed connection') {
      return away(
        `${capital(nameOf(trouble))} closed the connection: it may expect TLS or a log-in, and KAFKA_SECURITY_PROTOCOL is ${protocol}`,
      );
    }
  }
  return null;
}

const refused = (line: string): Explained => ({ kind: 'refused', line });
const wrong = (line: string): Explained => ({ kind: 'wrong', line });
const away = (line: string): Explained => ({ kind: 'away', line });

const nameOf = ({ broker }: Trouble): string =>
  typeof broker === 'string' ? `the Kafka broker ${broker}` : 'a Kafka broker';

/** OpenSSL's words for a chain that does not end at a known authority. */
const untrusted: ReadonlySet<unknown> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);

function ofTls(trouble: Trouble, { ssl, protocol }: KafkaSettings): Explained | null {
  const code = String(trouble.code ?? '');
  const who = nameOf(trouble);
  const { ca, cert, servername } = typeof ssl === 'object' ? ssl : {};
  if (code === 'CERT_HAS_EXPIRED') {
    return refused(`The certificate of ${who} has expired: renew it there, or correct this machine’s clock`);
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return refused(
      `The certificate of ${who} is not valid yet: correct this machine’s clock, or the broker’s`,
    );
  }
  if (untrusted.has(code)) {
    const mend =
      ca === undefined
        ? 'put the PEM of the authority into KAFKA_SSL_CA_FILE'
        : 'KAFKA_SSL_CA holds another authority than the one that signed it';
    return refused(`The certificate of ${who} is not signed by an authority that is trusted here: ${mend}`);
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const mend =
      servername === undefined
        ? 'use a name of it in KAFKA_BROKERS and as the broker’s advertised name, or set KAFKA_SSL_SERVER_NAME to one'
        : `it is not for KAFKA_SSL_SERVER_NAME, ${servername}`;
    return refused(`The certificate of ${who} is for other names: ${mend}`);
  }
  if (/^ERR_SSL_.*ALERT/.test(code)) {
    return refused(
      cert === undefined
        ? `${capital(who)} wants a client certificate: set KAFKA_SSL_CERTIFICATE_FILE and KAFKA_SSL_KEY_FILE`
        : `${capital(who)} refuses the client certificate: KAFKA_SSL_CERTIFICATE must be valid, and signed by an authority that the broker trusts`,
    );
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || trouble.message.includes('before secure TLS connection')) {
    return away(
      `${capital(who)} ended the TLS handshake: its port may not speak TLS, and KAFKA_SECURITY_PROTOCOL is ${protocol}`,
    );
  }
  return null;
}

function ofLogIn(trouble: Trouble, { logIn }: KafkaSettings): Explained | null {
  if (trouble instanceof LogInRefused) return refused(trouble.message);
  if (trouble instanceof LogInAway) return away(trouble.message);
  if (trouble.type === 'UNSUPPORTED_SASL_MECHANISM') {
    return refused(
      `The Kafka brokers do not offer the log-in of KAFKA_SASL_MECHANISM, ${logIn?.mechanism}: set one that they have`,
    );
  }
  if (trouble.name === 'KafkaJSSASLAuthenticationError' || trouble.type === 'SASL_AUTHENTICATION_FAILED') {
    return refused(refusedLine(logIn?.mechanism ?? 'PLAIN'));
  }
  return null;
}

function ofRequest(trouble: Trouble, { prefix, replicationFactor }: KafkaSettings): Explained | null {
  const { topic } = trouble as { topic?: unknown };
  switch (trouble.type) {
    case 'TOPIC_AUTHORIZATION_FAILED':
      return wrong(
        `Kafka does not grant the topic ${topic ?? `${prefix}…`}: the user needs CREATE, DESCRIBE, READ and WRITE on topics that begin with ${prefix} (KAFKA_TOPIC_PREFIX)`,
      );
    case 'GROUP_AUTHORIZATION_FAILED':
      return wrong(
        `Kafka does not grant a reader group: the user needs READ and DELETE on groups that begin with ${prefix} (KAFKA_TOPIC_PREFIX)`,
      );
    case 'CLUSTER_AUTHORIZATION_FAILED':
      return wrong('Kafka does not grant idempotent writes: the user needs IDEMPOTENT_WRITE on the cluster');
    case 'INVALID_REPLICATION_FACTOR':
      return wrong(
        replicationFactor === null
          ? 'The cluster has fewer brokers than copies of a topic by its own default: set KAFKA_REPLICATION_FACTOR'
          : `The cluster has fewer brokers than KAFKA_REPLICATION_FACTOR, ${replicationFactor}: lower it, or add brokers`,
      );
    case 'POLICY_VIOLATION':
    case 'INVALID_CONFIG':
    case 'INVALID_PARTITIONS':
      return wrong(
        `The cluster’s rules do not allow the topic ${topic ?? `${prefix}…`} as Broadside would create it: change KAFKA_PARTITIONS, KAFKA_REPLICATION_FACTOR or KAFKA_MIN_INSYNC_REPLICAS, or create the topics by hand`,
      );
    case 'MESSAGE_TOO_LARGE':
    case 'RECORD_LIST_TOO_LARGE':
      return wrong(
        `Kafka refuses a message as too large: raise max.message.bytes of topics that begin with ${prefix}, or message.max.bytes of the brokers, to 1 MB or more`,
      );
    case 'INVALID_RECORD':
    case 'INVALID_TIMESTAMP':
      return wrong(
        `Kafka refuses a message for what a topic was set to: give topics that begin with ${prefix} cleanup.policy=delete, and the brokers’ own limits of timestamps`,
      );
    case 'UNSUPPORTED_COMPRESSION_TYPE':
      return wrong('The brokers do not know this compression: set KAFKA_COMPRESSION to gzip or none');
    case 'NOT_ENOUGH_REPLICAS':
    case 'NOT_ENOUGH_REPLICAS_AFTER_APPEND':
      return away('Fewer copies of a topic are in sync than its min.insync.replicas: brokers are away');
  }
  const codec = /^(\w+) compression not implemented$/.exec(trouble.message)?.[1];
  if (codec !== undefined) {
    return wrong(
      `A topic holds messages that are compressed with ${codec}, which Broadside does not read: let their producer, and the topic’s compression.type, use zstd or gzip`,
    );
  }
  if (trouble.code === 'ENOTFOUND') {
    return wrong(`The host of ${nameOf(trouble)} does not exist: check KAFKA_BROKERS`);
  }
  return null;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
