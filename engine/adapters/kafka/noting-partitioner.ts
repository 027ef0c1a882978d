import { type ICustomPartitioner, type PartitionerArgs, Partitioners, type RecordMetadata } from 'kafkajs';

/**
 * Chooses partitions, and notes which ones a batch was meant for and whether all of them answered.
 *
 * `kafkajs` 2.2.4 sends a batch to the leaders of its partitions and, where one of them fails, tries again without the
 * brokers that have answered (`producer/sendMessages.js`). A partition whose leader has moved to one of those is never
 * sent, and the batch resolves: acknowledged and lost. Of one batch at a time.
 */
export interface NotingPartitioner {
  readonly create: ICustomPartitioner;
  /** A new batch begins. */
  forget(): void;
  /** @throws Error where a partition of the batch did not answer. */
  check(answers: readonly Pick<RecordMetadata, 'topicName' | 'partition'>[]): void;
}

export function createNotingPartitioner(): NotingPartitioner {
  const meant = new Set<string>();
  return {
    create: () => {
      const hash = Partitioners.DefaultPartitioner();
      return (given) => {
        const partition = inTurn(given) ?? hash(given);
        meant.add(nameOf(given.topic, partition));
        return partition;
      };
    },
    forget: () => meant.clear(),
    check: (answers) => {
      const answered = new Set(answers.map(({ topicName, partition }) => nameOf(topicName, partition)));
      const missing = [...meant].filter((each) => !answered.has(each));
      if (missing.length > 0)
        throw new Error(`Kafka: leaders moved, and no broker has answered for ${missing.join(', ')}`);
    },
  };
}

/**
 * Shards and deliveries are keyed by their numbers, and those that are released together follow one another: so each
 * partition gets as many as the next, where a hash gives some engines a multiple of what others get.
 * Null where the key is another one.
 */
export function inTurn({
  message,
  partitionMetadata,
}: Pick<PartitionerArgs, 'message' | 'partitionMetadata'>): number | null {
  const key = String(message.key ?? '');
  return NUMBER.test(key) ? Number(key) % partitionMetadata.length : null;
}

const NUMBER = /^\d{1,15}$/;

const nameOf = (topic: string, partition: number): string => `${topic}-${partition}`;
