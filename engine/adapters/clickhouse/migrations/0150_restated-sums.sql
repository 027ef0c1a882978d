-- What restatements changed, by what decides who may see it: the rows before are deleted from ad_stats. Written again, a row is
-- the same.
CREATE TABLE IF NOT EXISTS ad_restated_sums (
  restatement UInt64,
  -- On the calendar of the source.
  day Date,
  domain LowCardinality(String),
  wholesaler LowCardinality(String),
  currency LowCardinality(String),
  rows_before UInt64,
  rows_after UInt64,
  impressions_before UInt64,
  impressions_after UInt64,
  viewable_before UInt64,
  viewable_after UInt64,
  earnings_before Decimal(38, 8),
  earnings_after Decimal(38, 8)
)
ENGINE = ReplacingMergeTree
ORDER BY (restatement, day, domain, wholesaler, currency)
SETTINGS non_replicated_deduplication_window = 50000, replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
