import type { ClusterState } from '../../../engine/adapters/kafka/cluster-state.ts';
import type { QueueState } from '../../../engine/adapters/pgboss/queue-state.ts';
import { type Found, ok, problem, reasonOf, warning } from './finding.ts';

export function judgeCluster(state: ClusterState): Found[] {
  const found = [
    ok(`Kafka answers, brokers: ${state.brokers}; ${waiting(state.lag)}`),
    ...missingFound(state.missing, false),
  ];
  if (state.leaderless.length > 0) {
    const mend = 'Bring the brokers back that hold them: kafka-topics.sh --describe names them.';
    found.push(problem(`without a leader: ${state.leaderless.join(', ')}`, mend));
  }
  if (state.smaller.length > 0) {
    const mend = 'Add them with Kafka’s own tools, or lower KAFKA_PARTITIONS or KAFKA_REPLICATION_FACTOR.';
    found.push(warning(`fewer partitions or copies than set: ${state.smaller.join(', ')}`, mend));
  }
  return found;
}

export const judgeQueue = ({ missing, lag }: QueueState): Found[] => [
  ok(`the log is on Postgres; ${waiting(lag)}`),
  ...missingFound(missing, true),
];

/** Where none exists, nobody has started yet. */
function missingFound(missing: readonly string[], mayBeNew: boolean): Found[] {
  if (missing.length === 0) return [];
  const text = `topics are missing: ${missing.join(', ')}`;
  const mend = 'Start a role, or run "broadside kafka check": each creates the topics that are missing.';
  return [mayBeNew ? warning(text, 'Start a role: it creates what is missing.') : problem(text, mend)];
}

function waiting(lag: Readonly<Record<string, number | undefined>>): string {
  const rows = Object.entries(lag).filter(([, messages]) => (messages ?? 0) > 0);
  if (rows.length === 0) return 'nothing waits on it';
  return `waiting: ${rows.map(([topic, messages]) => `${messages?.toLocaleString('en-US')} on ${topic}`).join(', ')}`;
}

/** Kafka's adapter has the words for what is wrong, settings included. */
export const kafkaAway = (error: unknown): Found =>
  problem(
    reasonOf(hasWords(error) ? (error as Error) : error),
    'Correct the settings KAFKA_… that it names, or check the brokers.',
  );

const hasWords = (error: unknown): boolean => (error as { code?: unknown }).code === 'KAFKA_REFUSED';
