-- One row an event that a browser told of. A batch from the log is one insert under the batch's name, as
-- with outcomes, and so are the windows below on every target.
CREATE TABLE IF NOT EXISTS events (
  app_id UInt32,
  delivery_id UInt64,
  -- The subscription's seq; from 2^32 on: nobody known, a number made of the event's id.
  subscriber UInt64,
  -- The codes of engine/contract/event.ts: appended to, never renumbered.
  type Enum8('displayed' = 1, 'clicked' = 2, 'closed' = 3),
  -- The button; empty: the notification itself.
  action String,
  event_id String,
  -- When it happened, as the browser says, within bounds.
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
-- Not by subscriber: a column of the key cannot be changed, and a deleted one gets another number (anonymize.ts).
ORDER BY (app_id, delivery_id, type)
SETTINGS non_replicated_deduplication_window = 50000;

-- Who displayed, clicked, closed, as sets: an event told twice, late, or under another batch's name changes
-- no set. The delivery goes before the day because every look at a delivery asks for its clicks.
CREATE TABLE IF NOT EXISTS events_by_day (
  app_id UInt32,
  type Enum8('displayed' = 1, 'clicked' = 2, 'closed' = 3),
  delivery_id UInt64,
  day Date,
  subscribers AggregateFunction(groupBitmap, UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, type, delivery_id, day)
SETTINGS non_replicated_deduplication_window = 50000;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_day TO events_by_day AS
SELECT app_id, type, delivery_id, toDate(at) AS day, groupBitmapState(subscriber) AS subscribers
FROM events
GROUP BY app_id, type, delivery_id, day;

-- Which deliveries a subscriber clicked. Equal rows may stand apart until a merge, so readers count distinct
-- ones. Read for a page of subscribers at a time: small granules keep that from reading the whole app.
CREATE TABLE IF NOT EXISTS clicks_by_subscriber (
  app_id UInt32,
  seq UInt32,
  delivery_id UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (app_id, seq, delivery_id)
SETTINGS non_replicated_deduplication_window = 50000, index_granularity = 1024;

-- By number: comparing an Enum with its text fails in a view of 26.7, in its dry run on an empty constant.
CREATE MATERIALIZED VIEW IF NOT EXISTS clicks_to_subscriber TO clicks_by_subscriber AS
SELECT app_id, toUInt32(subscriber) AS seq, delivery_id
FROM events
WHERE toInt8(type) = 2 AND subscriber < 4294967296
GROUP BY app_id, seq, delivery_id;
