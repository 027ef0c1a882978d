-- One row an attempt at one target. A batch from the log is one insert under the batch's name, and
-- ClickHouse drops an insert whose name it remembers: so many are remembered by this table and, apart
-- from it, by every target of a materialized view. Without the second the table would count once and the
-- view as often as the batch came.
CREATE TABLE IF NOT EXISTS outcomes (
  app_id UInt32,
  delivery_id UInt64,
  -- Of the subscription; from 2^63 on it stands for one that was deleted (anonymize.ts). So it is no part of
  -- the key, whose columns cannot be changed. Compressed so it takes 0.9 bytes a row, as UInt32 4.
  seq UInt64 CODEC(Delta, ZSTD),
  -- The codes of engine/contract/outcome.ts and push-service.ts: appended to, never renumbered.
  outcome Enum8('unsent' = 0, 'accepted' = 1, 'gone' = 2, 'throttled' = 3, 'rejected' = 4, 'unreachable' = 5, 'expired' = 6),
  failure Enum8('none' = 0, 'refused' = 1, 'answered' = 2, 'unknown' = 3),
  -- HTTP status; 0 where no answer came.
  status UInt16,
  push_service Enum8('other' = 0, 'fcm' = 1, 'mozilla' = 2, 'wns' = 3, 'apple' = 4),
  -- 1 the first time; 255 stands for more.
  attempt UInt8,
  latency_ms UInt16,
  -- When the block's attempt ended.
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (app_id, delivery_id)
SETTINGS non_replicated_deduplication_window = 50000;

-- What dashboards read: a few rows a delivery and day instead of one a subscriber. Rows of one key may
-- stand apart until a merge, so readers always sum.
CREATE TABLE IF NOT EXISTS outcomes_by_day (
  app_id UInt32,
  delivery_id UInt64,
  day Date,
  outcome Enum8('unsent' = 0, 'accepted' = 1, 'gone' = 2, 'throttled' = 3, 'rejected' = 4, 'unreachable' = 5, 'expired' = 6),
  push_service Enum8('other' = 0, 'fcm' = 1, 'mozilla' = 2, 'wns' = 3, 'apple' = 4),
  attempts UInt64,
  latency_ms_sum UInt64
)
ENGINE = SummingMergeTree((attempts, latency_ms_sum))
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, delivery_id, outcome, push_service)
SETTINGS non_replicated_deduplication_window = 50000;

CREATE MATERIALIZED VIEW IF NOT EXISTS outcomes_to_day TO outcomes_by_day AS
SELECT
  app_id,
  delivery_id,
  toDate(at) AS day,
  outcome,
  push_service,
  count() AS attempts,
  sum(latency_ms) AS latency_ms_sum
FROM outcomes
GROUP BY app_id, delivery_id, day, outcome, push_service;
