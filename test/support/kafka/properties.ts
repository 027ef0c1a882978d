import { join } from 'node:path';

export interface BrokerSettings {
  readonly port: number;
  /** The port that clients connect to: a proxy's, or the broker's own. */
  readonly advertisedPort: number;
  readonly controllerPort: number;
  readonly folder: string;
  /** Of this test's broker, over those below. */
  readonly more: Properties;
}

/** Lines of a broker's configuration. */
export type Properties = Readonly<Record<string, string | number | boolean>>;

/** A single KRaft node that answers fast and forgets fast; nothing here is fit for production. */
export function serverProperties({
  port,
  advertisedPort,
  controllerPort,
  folder,
  more,
}: BrokerSettings): string {
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertisedPort}`,
    'controller.listener.names': 'CONTROLLER',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'log.dirs': join(folder, 'data'),
    'auto.create.topics.enable': false,
    'offsets.topic.num.partitions': 1,
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 1,
    // Members are not awaited for 3 s before a new group's first assignment.
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 500,
    // A broker that was killed may register again once its old session has run out: 9 s by default.
    'broker.session.timeout.ms': 1_500,
    'broker.heartbeat.interval.ms': 300,
    'log.cleaner.enable': false,
    // After a kill every partition's indexes are built again: small ones, and not one after the other.
    'log.index.size.max.bytes': 65_536,
    'num.recovery.threads.per.data.dir': 4,
    'num.network.threads': 2,
    'num.io.threads': 2,
    ...more,
  })
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}
