import { kafkaOptions } from '../../../engine/adapters/kafka/from-settings.ts';
import { readQueueState } from '../../../engine/adapters/pgboss/queue-state.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { Topic } from '../../../engine/contract/topics.ts';
import type { BackupConfig } from '../../settings/config.ts';

export type Lag = Readonly<Partial<Record<Topic, number>>>;

/** Messages that wait on the log; nothing is created there. */
export async function readLag(config: BackupConfig, sql: Sql): Promise<Lag> {
  if (config.logBackend === 'pgboss') return (await readQueueState(sql)).lag;
  const { readClusterState } = await import('../../../engine/adapters/kafka/cluster-state.ts');
  return (await readClusterState(kafkaOptions(config, () => undefined))).lag;
}
