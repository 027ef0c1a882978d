-- A day without an hour is a day in the zone of its source, and lies in no other. Rows from before this column do not
-- tell; a report looks whether their source has any that are not at midnight.
ALTER TABLE ad_stats
  ADD COLUMN IF NOT EXISTS grain Enum8('hour' = 0, 'day' = 1, 'unknown' = 2) DEFAULT 'unknown';
ALTER TABLE ad_stats_checked
  ADD COLUMN IF NOT EXISTS grain Enum8('hour' = 0, 'day' = 1, 'unknown' = 2) DEFAULT 'unknown';

-- The rules of 0003, and the grain.
ALTER TABLE ad_stats_check MODIFY QUERY
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
  if(length(at_text) = 10, 'day', 'hour') AS grain,
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

ALTER TABLE ad_stats_take MODIFY QUERY
SELECT * EXCEPT (row, reason, raw) FROM ad_stats_checked WHERE reason = '';

-- Names of other scripts among domains and subdomains, as they are stored: a report shows them in their script.
CREATE TABLE IF NOT EXISTS ad_idn_names (
  name String
)
ENGINE = ReplacingMergeTree
ORDER BY name
SETTINGS non_replicated_deduplication_window = 50000;

CREATE MATERIALIZED VIEW IF NOT EXISTS ad_idn_names_take TO ad_idn_names AS
SELECT DISTINCT arrayJoin([toString(domain), toString(subdomain)]) AS name FROM ad_stats
WHERE (position(domain, 'xn--') > 0 OR position(subdomain, 'xn--') > 0) AND position(name, 'xn--') > 0;

-- After the view, so that no name falls between the two.
INSERT INTO ad_idn_names
SELECT DISTINCT arrayJoin([toString(domain), toString(subdomain)]) AS name FROM ad_stats
WHERE (position(domain, 'xn--') > 0 OR position(subdomain, 'xn--') > 0) AND position(name, 'xn--') > 0;

-- Which currencies a month ever had: a report whose months had no other than its own converts nothing.
CREATE TABLE IF NOT EXISTS ad_currencies (
  month UInt32,
  currency LowCardinality(String)
)
ENGINE = ReplacingMergeTree
ORDER BY (month, currency)
SETTINGS non_replicated_deduplication_window = 50000;

CREATE MATERIALIZED VIEW IF NOT EXISTS ad_currencies_take TO ad_currencies AS
SELECT DISTINCT toYYYYMM(at) AS month, currency FROM ad_stats;

INSERT INTO ad_currencies
SELECT DISTINCT toYYYYMM(at) AS month, currency FROM ad_stats;
