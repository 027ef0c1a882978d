import type { ConnectionOptions } from 'node:tls';
import type { KafkaConfig } from 'kafkajs';
import { type Clock, systemClock } from '../../contract/concurrency/clock.ts';
import type { Compression, SaslMechanism, SecurityProtocol } from '../../contract/settings/kafka-settings.ts';

export type KafkaLogLevel = 'error' | 'warn' | 'info';
/** The log lines of kafkajs and the adapter. `fields` hold no message content. */
export type KafkaLogger = (
  level: KafkaLogLevel,
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

/** How to log in: what kafkajs does, and the mechanism's own name for people. */
export interface KafkaLogIn {
  readonly mechanism: SaslMechanism;
  readonly sasl: NonNullable<KafkaConfig['sasl']>;
  /** Why nobody can log in at the moment, where that is known before a broker is asked. */
  readonly failure?: () => unknown;
}

export interface KafkaLogOptions {
  /** `host:port` of some of the brokers. */
  readonly brokers: readonly string[];
  /** Put before every topic's and group's name, so that two installations may share a cluster. */
  readonly prefix?: string;
  readonly clientId?: string;
  /** As Kafka calls it; for people, in errors. */
  readonly protocol?: SecurityProtocol;
  readonly ssl?: ConnectionOptions | boolean;
  readonly logIn?: KafkaLogIn | null;
  /** Of topics that do not exist yet: the most engines' handler calls that one topic can keep busy. */
  readonly partitions?: number;
  /** Of these topics; null: as the cluster has it. */
  readonly replicationFactor?: number | null;
  readonly minInsyncReplicas?: number | null;
  readonly compression?: Compression;
  /** How long `createKafkaLog` and `consume` try to reach the brokers before they reject. */
  readonly connectTimeoutMs?: number;
  /** How long a `publish` may take before it rejects. */
  readonly publishTimeoutMs?: number;
  /** A consumer that is silent for this long loses its claims; the broker must allow it. */
  readonly sessionTimeoutMs?: number;
  /** How long handlers may take to finish when partitions move to another consumer. */
  readonly revokeBudgetMs?: number;
  /** A consumer with lag that did nothing for this long is restarted. */
  readonly watchdogMs?: number;
  /** How long a fetch waits for new records, and so the longest wait of a drained partition. */
  readonly fetchWaitMs?: number;
  /** The bound of bytes in memory per partition, except for one larger record. */
  readonly maxPartitionBytes?: number;
  /** How long before the end of its session a connection logs in again. */
  readonly logInAgainMs?: number;
  /** The longest wait between two log-ins while the brokers refuse them. */
  readonly maxRefusalPauseMs?: number;
  readonly logger?: KafkaLogger;
  readonly clock?: Clock;
}

export interface KafkaSettings extends Required<KafkaLogOptions> {
  /** Several within the session time-out: a lost one costs nothing. */
  readonly heartbeatIntervalMs: number;
  readonly rebalanceTimeoutMs: number;
}

const HEARTBEATS_PER_SESSION = 6;
/** Other members must allow this much on top of the budget, for commits and the network. */
const REBALANCE_MARGIN_MS = 30_000;

/**
 * Raw options → defaults → frozen.
 * @throws Error on contradictions: no brokers, or a fetch that would outwait the heartbeats.
 */
export function compileOptions(options: KafkaLogOptions): KafkaSettings {
  const sessionTimeoutMs = options.sessionTimeoutMs ?? 30_000;
  const revokeBudgetMs = options.revokeBudgetMs ?? 10_000;
  const settings: KafkaSettings = {
    prefix: 'broadside.',
    clientId: 'broadside',
    partitions: 12,
    replicationFactor: null,
    minInsyncReplicas: null,
    compression: 'none',
    protocol: 'PLAINTEXT',
    ssl: false,
    logIn: null,
    connectTimeoutMs: 10_000,
    publishTimeoutMs: 15_000,
    watchdogMs: 60_000,
    fetchWaitMs: 250,
    maxPartitionBytes: 262_144,
    logInAgainMs: 10_000,
    maxRefusalPauseMs: 10_000,
    logger: () => undefined,
    clock: systemClock,
    ...options,
    sessionTimeoutMs,
    revokeBudgetMs,
    heartbeatIntervalMs: Math.floor(sessionTimeoutMs / HEARTBEATS_PER_SESSION),
    rebalanceTimeoutMs: revokeBudgetMs + REBALANCE_MARGIN_MS,
  };
  if (settings.brokers.length === 0) throw new Error('Kafka: no brokers are given');
  if (settings.fetchWaitMs >= settings.heartbeatIntervalMs) {
    throw new Error('Kafka: fetchWaitMs must be below a sixth of sessionTimeoutMs, or heartbeats come late');
  }
  return Object.freeze(settings);
}
