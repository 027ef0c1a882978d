-- What ad servers counted: one row a combination of dimensions and period. Texts are '' where not known.
-- Rows belong to a load, and the ledger in Postgres (ad_loads) says which loads a reader may see: so a file
-- appears at once and a restated day changes at once, though ClickHouse has no transaction over inserts.
CREATE TABLE IF NOT EXISTS ad_stats (
  -- Start of the period: midnight UTC where the source gives days.
  at DateTime('UTC') CODEC(Delta, ZSTD),
  load UInt64 CODEC(Delta, ZSTD),
  -- The ad server that reported.
  source LowCardinality(String),
  product LowCardinality(String),
  domain LowCardinality(String),
  subdomain LowCardinality(String),
  media_type LowCardinality(String),
  device LowCardinality(String),
  os LowCardinality(String),
  ad_unit LowCardinality(String),
  country LowCardinality(String),
  deal_id LowCardinality(String),
  deal_name LowCardinality(String),
  deal_type LowCardinality(String),
  -- For access alone: no dimension of a report.
  wholesaler LowCardinality(String),
  impressions UInt64 CODEC(T64, ZSTD),
  viewable UInt64 CODEC(T64, ZSTD),
  first_quartile UInt64 CODEC(T64, ZSTD),
  midpoint UInt64 CODEC(T64, ZSTD),
  third_quartile UInt64 CODEC(T64, ZSTD),
  complete UInt64 CODEC(T64, ZSTD),
  -- Below zero: a correction.
  earnings Decimal(18, 8) CODEC(T64, ZSTD),
  -- ISO 4217.
  currency LowCardinality(String),
  INDEX loads load TYPE minmax
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
PRIMARY KEY (toDate(at), domain)
ORDER BY (toDate(at), domain, product, media_type, device, os, country)
SETTINGS non_replicated_deduplication_window = 50000;

-- Units of the currency for one euro on that day. Of one day and currency the greatest version counts; both
-- may stand until a merge, so readers take argMax(per_eur, version). EUR has no rows.
CREATE TABLE IF NOT EXISTS fx_rates (
  day Date,
  currency LowCardinality(String),
  per_eur Decimal(38, 18),
  source LowCardinality(String),
  -- When it was stated, in milliseconds since 1970.
  version UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (currency, day)
SETTINGS non_replicated_deduplication_window = 50000;

-- The one way in: rows as texts, of files and of the log alike. Nothing is kept here; the view below holds the
-- rules, once, and the two after it part the good from the bad. Insert names reach all targets, so a batch that
-- comes again changes none of them. Changed rules are another migration that replaces the view.
CREATE TABLE IF NOT EXISTS ad_stats_intake (
  load UInt64,
  source String,
  -- Line of the file, number of the row in Parquet or in the batch: from 1.
  row UInt64,
  -- Where the reader of the file could not make fields of it: why, and what it is.
  unreadable String,
  raw String,
  at String,
  product String,
  domain String,
  subdomain String,
  media_type String,
  device String,
  os String,
  ad_unit String,
  country String,
  deal_id String,
  deal_name String,
  deal_type String,
  wholesaler String,
  impressions String,
  viewable String,
  first_quartile String,
  midpoint String,
  third_quartile String,
  complete String,
  earnings String,
  currency String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS ad_stats_checked AS ad_stats ENGINE = Null;
ALTER TABLE ad_stats_checked
  ADD COLUMN IF NOT EXISTS row UInt64,
  ADD COLUMN IF NOT EXISTS reason String,
  ADD COLUMN IF NOT EXISTS raw String;

-- Of 0006, so that a new installation makes its views as they stay. In the server that changes one, a view has another
-- identity than after the server's next start, by which its target remembers inserts: a batch that comes again would
-- count twice.
ALTER TABLE ad_stats
  ADD COLUMN IF NOT EXISTS grain Enum8('hour' = 0, 'day' = 1, 'unknown' = 2) DEFAULT 'unknown';
ALTER TABLE ad_stats_checked
  ADD COLUMN IF NOT EXISTS grain Enum8('hour' = 0, 'day' = 1, 'unknown' = 2) DEFAULT 'unknown';

-- What most reports ask for, added up as rows come in: ClickHouse takes it by itself where a report groups and
-- filters by nothing else. After the table above, which must not have it.
ALTER TABLE ad_stats ADD PROJECTION IF NOT EXISTS by_domain (
  SELECT toDate(at), domain, wholesaler, currency, source, load,
    sum(impressions), sum(viewable), sum(first_quartile), sum(midpoint), sum(third_quartile), sum(complete),
    sum(earnings)
  GROUP BY toDate(at), domain, wholesaler, currency, source, load
);

-- Bad rows, set aside with the first reason against them.
CREATE TABLE IF NOT EXISTS ad_stats_refused (
  load UInt64,
  row UInt64,
  source LowCardinality(String),
  reason LowCardinality(String),
  raw String,
  refused_at DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY (load, row)
TTL refused_at + INTERVAL 90 DAY
SETTINGS non_replicated_deduplication_window = 50000;

-- Amounts: as many digits as given are read as an exact decimal, then rounded once to 8 decimals, half away
-- from zero. A double in Parquet is its shortest text by then.
CREATE MATERIALIZED VIEW IF NOT EXISTS ad_stats_check TO ad_stats_checked AS
-- of ad-stats-check.sql
;

CREATE MATERIALIZED VIEW IF NOT EXISTS ad_stats_take TO ad_stats AS
SELECT * EXCEPT (row, reason, raw) FROM ad_stats_checked WHERE reason = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS ad_stats_refuse TO ad_stats_refused AS
SELECT load, row, source, reason, raw, now('UTC') AS refused_at FROM ad_stats_checked WHERE reason != '';
