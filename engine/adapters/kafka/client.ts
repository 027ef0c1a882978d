import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type ISocketFactory, Kafka, type LogEntry, logLevel, type RetryOptions } from 'kafkajs';
import type { KafkaSettings } from './options.ts';

export const MAX_RETRY_PAUSE_MS = 1_000;
const CONNECTION_TIMEOUT_MS = 3_000;

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

export function createClient(settings: KafkaSettings): Kafka {
  return new Kafka({
    brokers: [...settings.brokers],
    clientId: settings.clientId,
    ssl: settings.ssl,
    ...(settings.logIn === null ? {} : { sasl: settings.logIn.sasl }),
    reauthenticationThreshold: settings.logInAgainMs,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    socketFactory: openSocket,
    requestTimeout: Math.max(5_000, settings.publishTimeoutMs),
    retry: shortRetry,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => forward(settings, entry),
  });
}

const KEEP_ALIVE_AFTER_MS = 60_000;

/**
 * As kafkajs would, but for the number of listeners: it may write to a connection that is still being made, which adds
 * one a request, and Node would warn of a leak.
 */
const openSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
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

/**
 * Node 24 and newer warn once of a negative time-out that kafkajs 2.2.4 sets in its request queue. Only
 * that warning is swallowed; once it came, nothing stays replaced.
 * @returns puts everything back.
 */
export function silenceTimeoutWarning(): () => void {
  const original = process.emitWarning;
  const restore = () => {
    if (process.emitWarning === filtered) process.emitWarning = original;
  };
  const filtered: typeof process.emitWarning = (...given: unknown[]) => {
    const ours = given[1] === 'TimeoutNegativeWarning' && new Error().stack?.includes('kafkajs');
    if (ours) restore();
    else Reflect.apply(original, process, given);
  };
  process.emitWarning = filtered;
  return restore;
}
