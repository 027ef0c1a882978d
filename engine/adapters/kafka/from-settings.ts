import { systemClock } from '../../contract/concurrency/clock.ts';
import type { kafkaSettings } from '../../contract/settings/kafka-settings.ts';
import type { Values } from '../../contract/settings/settings.ts';
import { logInOf } from './log-in/log-in.ts';
import type { KafkaLogger, KafkaLogOptions } from './options.ts';
import { tlsOf } from './tls.ts';

/**
 * The settings of a role → the options of its log.
 * @throws SettingsError where a certificate or key cannot be used.
 */
export const kafkaOptions = (
  settings: Values<typeof kafkaSettings>,
  logger: KafkaLogger,
): KafkaLogOptions => ({
  brokers: settings.kafkaBrokers,
  prefix: settings.kafkaTopicPrefix,
  protocol: settings.kafkaSecurityProtocol,
  ssl: tlsOf(settings),
  logIn: logInOf(settings, systemClock, logger),
  replicationFactor: settings.kafkaReplicationFactor,
  minInsyncReplicas: settings.kafkaMinInsyncReplicas,
  partitions: settings.kafkaPartitions,
  compression: settings.kafkaCompression,
  logger,
});
