import { type ICustomPartitioner, Partitioners, type RecordMetadata } from 'kafkajs';

/**
 * Which partitions a batch was meant for, and whether all of them answered.
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
      const choose = Partitioners.DefaultPartitioner();
      return (given) => {
        const partition = choose(given);
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

const nameOf = (topic: string, partition: number): string => `${topic}-${partition}`;
