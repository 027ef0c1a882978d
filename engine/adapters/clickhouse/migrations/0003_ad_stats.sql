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
WITH
  trimBoth(i.at) AS at_text,
  trimBoth(i.earnings) AS earnings_text,
  upper(trimBoth(i.currency)) AS currency_code,
  parseDateTimeBestEffortOrNull(at_text, 'UTC') AS moment,
  if(earnings_text = '', toDecimal128(0, 20), toDecimal128OrNull(earnings_text, 20)) AS amount,
  concat(i.product, i.domain, i.subdomain, i.media_type, i.device, i.os, i.ad_unit, i.country, i.deal_id, i.deal_name, i.deal_type, i.wholesaler) AS texts
SELECT
  i.load AS load,
  i.row AS row,
  i.source AS source,
  multiIf(
    i.unreadable != '', i.unreadable,
    at_text = '', 'at is missing',
    NOT match(at_text, '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$'),
      'at is neither a day (YYYY-MM-DD) nor a time (ISO 8601)',
    moment IS NULL OR toString(toDateOrZero(substring(at_text, 1, 10))) != substring(at_text, 1, 10), 'at does not exist',
    moment < toDateTime('2000-01-01', 'UTC') OR substring(at_text, 1, 4) >= '2100', 'at is not within 2000 to today',
    moment > now() + INTERVAL 1 DAY, 'at lies in the future',
    NOT match(i.impressions, '^ *[0-9]{0,15} *$'), 'impressions is no whole number of at most 15 digits',
    NOT match(i.viewable, '^ *[0-9]{0,15} *$'), 'viewable is no whole number of at most 15 digits',
    NOT match(i.first_quartile, '^ *[0-9]{0,15} *$'), 'first_quartile is no whole number of at most 15 digits',
    NOT match(i.midpoint, '^ *[0-9]{0,15} *$'), 'midpoint is no whole number of at most 15 digits',
    NOT match(i.third_quartile, '^ *[0-9]{0,15} *$'), 'third_quartile is no whole number of at most 15 digits',
    NOT match(i.complete, '^ *[0-9]{0,15} *$'), 'complete is no whole number of at most 15 digits',
    length(earnings_text) > 64 OR amount IS NULL, 'earnings is no decimal number',
    abs(assumeNotNull(amount)) >= 9999999999, 'earnings is out of range',
    currency_code = '' AND assumeNotNull(amount) = 0, '',
    currency_code = '', 'currency is missing',
    currency_code NOT IN (
    'AED', 'AFN', 'ALL', 'AMD', 'ANG', 'AOA', 'ARS', 'AUD', 'AWG', 'AZN', 'BAM', 'BBD', 'BDT', 'BGN',
    'BHD', 'BIF', 'BMD', 'BND', 'BOB', 'BRL', 'BSD', 'BTN', 'BWP', 'BYN', 'BZD', 'CAD', 'CDF', 'CHF',
    'CLP', 'CNY', 'COP', 'CRC', 'CUC', 'CUP', 'CVE', 'CYP', 'CZK', 'DJF', 'DKK', 'DOP', 'DZD', 'EEK',
    'EGP', 'ERN', 'ETB', 'EUR', 'FJD', 'FKP', 'GBP', 'GEL', 'GHS', 'GIP', 'GMD', 'GNF', 'GTQ', 'GYD',
    'HKD', 'HNL', 'HRK', 'HTG', 'HUF', 'IDR', 'ILS', 'INR', 'IQD', 'IRR', 'ISK', 'JMD', 'JOD', 'JPY',
    'KES', 'KGS', 'KHR', 'KMF', 'KPW', 'KRW', 'KWD', 'KYD', 'KZT', 'LAK', 'LBP', 'LKR', 'LRD', 'LSL',
    'LTL', 'LVL', 'LYD', 'MAD', 'MDL', 'MGA', 'MKD', 'MMK', 'MNT', 'MOP', 'MRU', 'MTL', 'MUR', 'MVR',
    'MWK', 'MXN', 'MYR', 'MZN', 'NAD', 'NGN', 'NIO', 'NOK', 'NPR', 'NZD', 'OMR', 'PAB', 'PEN', 'PGK',
    'PHP', 'PKR', 'PLN', 'PYG', 'QAR', 'ROL', 'RON', 'RSD', 'RUB', 'RWF', 'SAR', 'SBD', 'SCR', 'SDG',
    'SEK', 'SGD', 'SHP', 'SIT', 'SKK', 'SLE', 'SLL', 'SOS', 'SRD', 'SSP', 'STN', 'SVC', 'SYP', 'SZL',
    'THB', 'TJS', 'TMT', 'TND', 'TOP', 'TRL', 'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'UGX', 'USD', 'UYU',
    'UZS', 'VES', 'VND', 'VUV', 'WST', 'XAF', 'XCD', 'XCG', 'XDR', 'XOF', 'XPF', 'YER', 'ZAR', 'ZMW',
    'ZWG', 'ZWL'
    ), 'currency is none of ISO 4217',
    length(i.product) > 255, 'product is longer than 255 bytes',
    length(i.domain) > 255, 'domain is longer than 255 bytes',
    length(i.subdomain) > 255, 'subdomain is longer than 255 bytes',
    length(i.media_type) > 255, 'media_type is longer than 255 bytes',
    length(i.device) > 255, 'device is longer than 255 bytes',
    length(i.os) > 255, 'os is longer than 255 bytes',
    length(i.ad_unit) > 255, 'ad_unit is longer than 255 bytes',
    length(i.country) > 255, 'country is longer than 255 bytes',
    length(i.deal_id) > 255, 'deal_id is longer than 255 bytes',
    length(i.deal_name) > 255, 'deal_name is longer than 255 bytes',
    length(i.deal_type) > 255, 'deal_type is longer than 255 bytes',
    length(i.wholesaler) > 255, 'wholesaler is longer than 255 bytes',
    NOT isValidUTF8(texts), 'a text is no UTF-8',
    match(texts, '[\\x00-\\x1f\\x7f]'), 'a text holds a control character',
    ''
  ) AS reason,
  if(reason = '', '', substringUTF8(if(i.raw != '', i.raw, toJSONString(map(
    'at', i.at, 'product', i.product, 'domain', i.domain, 'subdomain', i.subdomain, 'media_type', i.media_type, 'device', i.device, 'os', i.os, 'ad_unit', i.ad_unit, 'country', i.country, 'deal_id', i.deal_id, 'deal_name', i.deal_name, 'deal_type', i.deal_type, 'wholesaler', i.wholesaler,
    'impressions', i.impressions, 'viewable', i.viewable, 'first_quartile', i.first_quartile, 'midpoint', i.midpoint, 'third_quartile', i.third_quartile, 'complete', i.complete,
    'earnings', i.earnings, 'currency', i.currency
  ))), 1, 2000)) AS raw,
  assumeNotNull(moment) AS at,
  trimBoth(i.product) AS product,
  lower(trimBoth(i.domain)) AS domain,
  lower(trimBoth(i.subdomain)) AS subdomain,
  trimBoth(i.media_type) AS media_type,
  trimBoth(i.device) AS device,
  trimBoth(i.os) AS os,
  trimBoth(i.ad_unit) AS ad_unit,
  upper(trimBoth(i.country)) AS country,
  trimBoth(i.deal_id) AS deal_id,
  trimBoth(i.deal_name) AS deal_name,
  trimBoth(i.deal_type) AS deal_type,
  trimBoth(i.wholesaler) AS wholesaler,
  toUInt64OrZero(trimBoth(i.impressions)) AS impressions,
  toUInt64OrZero(trimBoth(i.viewable)) AS viewable,
  toUInt64OrZero(trimBoth(i.first_quartile)) AS first_quartile,
  toUInt64OrZero(trimBoth(i.midpoint)) AS midpoint,
  toUInt64OrZero(trimBoth(i.third_quartile)) AS third_quartile,
  toUInt64OrZero(trimBoth(i.complete)) AS complete,
  toDecimal64(if(reason = '', round(assumeNotNull(amount), 8), toDecimal128(0, 20)), 8) AS earnings,
  if(currency_code = '', 'EUR', currency_code) AS currency
FROM ad_stats_intake AS i;

CREATE MATERIALIZED VIEW IF NOT EXISTS ad_stats_take TO ad_stats AS
SELECT * EXCEPT (row, reason, raw) FROM ad_stats_checked WHERE reason = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS ad_stats_refuse TO ad_stats_refused AS
SELECT load, row, source, reason, raw, now('UTC') AS refused_at FROM ad_stats_checked WHERE reason != '';
