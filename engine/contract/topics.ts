import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { AD_SOURCE_PATTERN, MAX_AD_ROWS_PER_BATCH } from './ad-stats.ts';
import { boundedRecord } from './concurrency/bounded-record.ts';
import {
  EVENT_ACTION_PATTERN,
  EVENT_ID_PATTERN,
  type EventType,
  eventTypes,
  MAX_EVENTS_PER_BATCH,
} from './event.ts';
import { MAX_RATES_PER_BATCH } from './fx-rate.ts';
import { TRACEPARENT_PATTERN, type Traceparent } from './trace-context.ts';

/**
 * The messages on the log. One schema per topic gives the type, and the check where a message is read. A
 * message names work and carries no subscriber data, except outcomes, which are the data.
 */
const id = Type.Integer({ minimum: 1 });
const BATCH_ID_PATTERN = '^[A-Za-z0-9_.:-]{1,128}$';

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
  /** Stable over redeliveries: the deduplication token of its one ClickHouse insert. */
  batch_id: Type.String({ minLength: 1, maxLength: 64 }),
  /** Block outcomes as `packBlockOutcomes` wrote them, base64. */
  blocks: Type.Array(Type.String({ maxLength: 65_536 }), { minItems: 1, maxItems: 1_024 }),
  /** Indexes of the blocks that are of welcomes. Left out: none is. */
  welcomes: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 1_023 }), { maxItems: 1_024 })),
  /** Of the spans that sent these blocks, each once. */
  traceparents: Type.Optional(Type.Array(traceparent, { maxItems: 1_024 })),
});

const MAX_SEQ = 2_147_483_647;
const MAX_MS = 8_640_000_000_000_000;
const event = Type.Object({
  /** The same event always has the same id. */
  id: Type.String({ pattern: EVENT_ID_PATTERN }),
  app_id: id,
  delivery_id: id,
  /** Null: the browser is unknown. */
  seq: Type.Union([Type.Integer({ minimum: 0, maximum: MAX_SEQ }), Type.Null()]),
  /** False: nothing shows that the reader of a row said it. Left out by versions that asked for no proof. */
  proven: Type.Optional(Type.Boolean()),
  /** Of a delivery to test browsers. Left out where it is none. */
  test: Type.Optional(Type.Boolean()),
  type: Type.Unsafe<EventType>({ type: 'string', enum: [...eventTypes] }),
  /** The button; empty: the notification itself. */
  action: Type.String({ pattern: EVENT_ACTION_PATTERN }),
  /** Milliseconds since 1970. */
  at: Type.Integer({ minimum: 0, maximum: MAX_MS }),
});
const eventsReported = Type.Object({
  /** As of outcomes. */
  batch_id: Type.String({ minLength: 1, maxLength: 64 }),
  events: Type.Array(event, { minItems: 1, maxItems: MAX_EVENTS_PER_BATCH }),
});

const AD_ROW_FIELDS = 32;
const MAX_FIELD_NAME = 64;
const MAX_FIELD = 512;
/**
 * One combination of dimensions and period, by the names of `adFields`. Checked loosely: ClickHouse's rules
 * find what is wrong with a row, which costs only that row. A number is taken as its shortest text, so amounts
 * of more than 15 digits come as texts.
 */
const adRow = boundedRecord(
  { maxLength: MAX_FIELD_NAME },
  Type.Union([Type.String({ maxLength: MAX_FIELD }), Type.Number(), Type.Null()]),
  { maxProperties: AD_ROW_FIELDS },
);
const adStatsReported = Type.Object({
  /** The ad server's own id: a batch that is repeated under it counts once. */
  batch_id: Type.String({ pattern: BATCH_ID_PATTERN }),
  source: Type.String({ pattern: AD_SOURCE_PATTERN }),
  /** This batch completes everything before this time (milliseconds since 1970). */
  complete_until: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_MS })),
  rows: Type.Array(adRow, { minItems: 1, maxItems: MAX_AD_ROWS_PER_BATCH }),
});
const ratesStated = Type.Object({
  batch_id: Type.String({ pattern: BATCH_ID_PATTERN }),
  source: Type.String({ pattern: AD_SOURCE_PATTERN }),
  /** When they were stated, in milliseconds since 1970: of one day and currency the latest statement counts. */
  stated_at: Type.Integer({ minimum: 1, maximum: MAX_MS }),
  rates: Type.Array(
    Type.Object({
      /** `YYYY-MM-DD`. */
      day: Type.String({ maxLength: 10 }),
      currency: Type.String({ maxLength: 3 }),
      /** Units of the currency for one euro, as a decimal text. */
      per_eur: Type.String({ maxLength: 40 }),
    }),
    { minItems: 1, maxItems: MAX_RATES_PER_BATCH },
  ),
});

export const topicSchemas = {
  'deliveries.breaking': deliveryAccepted,
  /**
   * The plan topic of the bulk lane. Its name is older than the lanes: messages of an older version are still
   * read.
   */
  deliveries: deliveryAccepted,
  'shards.breaking': shardReleased,
  'shards.bulk': shardReleased,
  outcomes: outcomesPacked,
  events: eventsReported,
  'ad-stats': adStatsReported,
  'fx-rates': ratesStated,
} as const;

export type Topic = keyof typeof topicSchemas;
export type TopicValue<T extends Topic> = Static<(typeof topicSchemas)[T]>;
export type ReportedEvent = Static<typeof event>;
export type AdRow = Static<typeof adRow>;
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
