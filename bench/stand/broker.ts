import { kafkaAvailability } from '../../test/support/kafka/libraries.ts';
import { startKafkaBroker } from '../../test/support/kafka-broker.ts';

/** The log between the stages: the embedded one in Postgres, or a broker that is started here. */
export const logs = ['pgboss', 'kafka'] as const;
export type LogName = (typeof logs)[number];

export interface Broker {
  /** Host:port; null: the embedded log. */
  readonly brokers: string | null;
  stop(): Promise<void>;
}

/**
 * @param brokers of a cluster that runs already; null: none is known.
 * @throws Error saying what to install, where a broker is wanted and this machine cannot run one.
 */
export async function startBroker(log: LogName, brokers: string | null): Promise<Broker> {
  if (brokers !== null || log === 'pgboss') return { brokers, stop: async () => {} };
  const availability = kafkaAvailability();
  if (!availability.available) throw new Error(availability.reason);
  const broker = await startKafkaBroker();
  return { brokers: broker.address, stop: () => broker.stop() };
}
