import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type ISocketFactory, Kafka, type LogEntry, logLevel, type RetryOptions } from 'kafkajs';
import type { KafkaSettings } from './options.ts';
import { patchKafkajs } from './patches.ts';

export const MAX_RETRY_PAUSE_MS = 1_000;
const CONNECTION_TIMEOUT_MS = 3_000;
/** What an answer for a group may take once nothing holds it up. */
const GROUP_ANSWER_MS = 5_000;

/**
 * The retries of one operation; the caller tries again, with a bound of its own. All are set: kafkajs has other
 * defaults where NODE_ENV is `test`, and tests must run the production settings.
 */
export const shortRetry: RetryOptions = {
  initialRetryTime: 100,
  maxRetryTime: MAX_RETRY_PAUSE_MS,
  multiplier: 2,
  factor: 0.2,
  retries: 3,
};

export interface Client {
  readonly kafka: Kafka;
  /** For members of a group: its requests may wait at the broker for the other members. */
  readonly kafkaOfMembers: Kafka;
  /**
   * Closes every connection at once, and any that is still to be made. After a `disconnect` that took too long, kafkajs
   * may be making one: it would keep a command from ending.
   */
  end(): void;
}

export function createClient(settings: KafkaSettings): Client {
  patchKafkajs();
  const sockets = new Set<Socket>();
  let hasEnded = false;
  const options = {
    brokers: [...settings.brokers],
    clientId: settings.clientId,
    ssl: settings.ssl,
    ...(settings.logIn === null ? {} : { sasl: settings.logIn.sasl }),
    reauthenticationThreshold: settings.logInAgainMs,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    socketFactory: (wanted: Parameters<ISocketFactory>[0]) => {
      const socket = openSocket(wanted);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      if (hasEnded) socket.destroy(overError());
      return socket;
    },
    retry: shortRetry,
    logLevel: logLevel.WARN,
    logCreator: () => (entry: LogEntry) => {
      if (!hasEnded) forward(settings, entry);
    },
  };
  const requestTimeout = Math.max(5_000, settings.publishTimeoutMs);
  return {
    kafka: new Kafka({ ...options, requestTimeout }),
    kafkaOfMembers: new Kafka({
      ...options,
      // A leader that died before it shared the partitions out holds up the others until its session ends. A member
      // that gives up before that holds them up in turn: the broker goes on counting it.
      requestTimeout: Math.max(requestTimeout, settings.sessionTimeoutMs + GROUP_ANSWER_MS),
    }),
    end: () => {
      hasEnded = true;
      for (const socket of sockets) socket.destroy(overError());
    },
  };
}

/** With an error, because kafkajs only then clears the timers of a connection that it did not close itself. */
const overError = (): Error => new Error('the log is closed');

const KEEP_ALIVE_AFTER_MS = 60_000;

/**
 * As kafkajs would, but for the number of listeners: it may write to a connection that is still being made, which adds
 * one a request, and Node would warn of a leak.
 */
const openSocket = ({ host, port, ssl, onConnect }: Parameters<ISocketFactory>[0]): Socket => {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = ssl
    ? connectTls({ host, port, ...name, ...ssl }, onConnect)
    : connect({ host, port }, onConnect);
  return socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS).setMaxListeners(0);
};

/** Each attempt of each connection is an error to kafkajs; the caller logs it once when the last one failed. */
const chatty: ReadonlySet<string> = new Set(['Connection', 'BrokerPool']);

function forward(settings: KafkaSettings, { level, namespace, log }: LogEntry): void {
  const { message: said, timestamp: _, stack: __, ...fields } = log;
  // kafkajs also hands over errors.
  const message = (said as unknown) instanceof Error ? (said as unknown as Error).message : String(said);
  // Printed at every start. publisher.ts handles its cause: a failed producer is thrown away.
  if (message.startsWith('Limiting retries for the idempotent producer')) return;
  // Up to four lines for each connection that the brokers refuse; refusals.ts has one for all of them.
  if (/authentication failed|SaslAuthenticate/i.test(message)) return;
  const isTrouble = level <= logLevel.WARN && !chatty.has(namespace);
  settings.logger(isTrouble ? 'warn' : 'info', message, { from: `kafkajs.${namespace}`, ...fields });
}
