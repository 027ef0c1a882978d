import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * What travels on the log. One schema a topic gives the type, and the check at the edge where a message
 * is read. A message names work and carries no subscriber data, except outcomes, which are the data.
 */
const id = Type.Integer({ minimum: 1 });

const deliveryAccepted = Type.Object({ delivery_id: id });
const shardReleased = Type.Object({ shard_id: id, delivery_id: id, app_id: id });
const outcomesPacked = Type.Object({
  /** Stable over redeliveries: the deduplication token of the one ClickHouse insert it becomes. */
  batch_id: Type.String({ minLength: 1, maxLength: 64 }),
  /** Block outcomes as `packBlockOutcomes` wrote them, base64. */
  blocks: Type.Array(Type.String({ maxLength: 65_536 }), { minItems: 1, maxItems: 1_024 }),
});

export const topicSchemas = {
  deliveries: deliveryAccepted,
  'shards.breaking': shardReleased,
  'shards.bulk': shardReleased,
  outcomes: outcomesPacked,
} as const;

export type Topic = keyof typeof topicSchemas;
export type TopicValue<T extends Topic> = Static<(typeof topicSchemas)[T]>;
export type Lane = 'breaking' | 'bulk';

export const topics = Object.keys(topicSchemas) as Topic[];
export const shardTopic = (lane: Lane): 'shards.breaking' | 'shards.bulk' => `shards.${lane}`;

const checks = Object.fromEntries(topics.map((topic) => [topic, Compile(topicSchemas[topic])]));

/** @returns the value, or null where it does not fit the topic's schema: such a message is poison. */
export function parseTopicValue<T extends Topic>(topic: T, value: unknown): TopicValue<T> | null {
  return checks[topic]?.Check(value) ? (value as TopicValue<T>) : null;
}
