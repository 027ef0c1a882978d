import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  EVENT_ACTION_PATTERN,
  EVENT_ID_PATTERN,
  type EventType,
  eventTypes,
  MAX_EVENTS_PER_BATCH,
} from './event.ts';
import { TRACEPARENT_PATTERN, type Traceparent } from './trace-context.ts';

/**
 * What travels on the log. One schema a topic gives the type, and the check at the edge where a message
 * is read. A message names work and carries no subscriber data, except outcomes, which are the data.
 */
const id = Type.Integer({ minimum: 1 });

/** Left out where nothing is traced. */
const traceparent = Type.Unsafe<Traceparent>({ type: 'string', pattern: TRACEPARENT_PATTERN });

const deliveryAccepted = Type.Object({ delivery_id: id, traceparent: Type.Optional(traceparent) });
const shardReleased = Type.Object({
  shard_id: id,
  delivery_id: id,
  app_id: id,
  traceparent: Type.Optional(traceparent),
});
const outcomesPacked = Type.Object({
  /** Stable over redeliveries: the deduplication token of the one ClickHouse insert it becomes. */
  batch_id: Type.String({ minLength: 1, maxLength: 64 }),
  /** Block outcomes as `packBlockOutcomes` wrote them, base64. */
  blocks: Type.Array(Type.String({ maxLength: 65_536 }), { minItems: 1, maxItems: 1_024 }),
  /** Of the spans that sent these blocks, each once. */
  traceparents: Type.Optional(Type.Array(traceparent, { maxItems: 1_024 })),
});

const MAX_SEQ = 2_147_483_647;
const event = Type.Object({
  /** The same event has the same id, however often it is told. */
  id: Type.String({ pattern: EVENT_ID_PATTERN }),
  app_id: id,
  delivery_id: id,
  /** Null: nobody knows whose browser it was. */
  seq: Type.Union([Type.Integer({ minimum: 0, maximum: MAX_SEQ }), Type.Null()]),
  type: Type.Unsafe<EventType>({ type: 'string', enum: [...eventTypes] }),
  /** The button; empty: the notification itself. */
  action: Type.String({ pattern: EVENT_ACTION_PATTERN }),
  /** Milliseconds since 1970. */
  at: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
});
const eventsTold = Type.Object({
  /** As of outcomes. */
  batch_id: Type.String({ minLength: 1, maxLength: 64 }),
  events: Type.Array(event, { minItems: 1, maxItems: MAX_EVENTS_PER_BATCH }),
});

export const topicSchemas = {
  'deliveries.breaking': deliveryAccepted,
  /** Those of the bulk lane. Its name is older than the lanes: what an older version left there is read. */
  deliveries: deliveryAccepted,
  'shards.breaking': shardReleased,
  'shards.bulk': shardReleased,
  outcomes: outcomesPacked,
  events: eventsTold,
} as const;

export type Topic = keyof typeof topicSchemas;
export type TopicValue<T extends Topic> = Static<(typeof topicSchemas)[T]>;
export type ToldEvent = Static<typeof event>;
export type Lane = 'breaking' | 'bulk';

export const topics = Object.keys(topicSchemas) as Topic[];
export const planTopic = (lane: Lane): 'deliveries.breaking' | 'deliveries' =>
  lane === 'breaking' ? 'deliveries.breaking' : 'deliveries';
export const isPlanTopic = (topic: Topic): boolean =>
  topic === planTopic('breaking') || topic === planTopic('bulk');
export const shardTopic = (lane: Lane): 'shards.breaking' | 'shards.bulk' => `shards.${lane}`;

const checks = Object.fromEntries(topics.map((topic) => [topic, Compile(topicSchemas[topic])]));

/** @returns the value, or null where it does not fit the topic's schema: such a message is poison. */
export function parseTopicValue<T extends Topic>(topic: T, value: unknown): TopicValue<T> | null {
  return checks[topic]?.Check(value) ? (value as TopicValue<T>) : null;
}
