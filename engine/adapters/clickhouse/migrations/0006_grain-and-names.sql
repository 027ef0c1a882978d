-- A day without an hour is a day in the zone of its source, and lies in no other. Rows from before this column do not
-- tell; a report looks whether their source has any that are not at midnight.
ALTER TABLE ad_stats
  ADD COLUMN IF NOT EXISTS grain Enum8('hour' = 0, 'day' = 1, 'unknown' = 2) DEFAULT 'unknown';
ALTER TABLE ad_stats_checked
  ADD COLUMN IF NOT EXISTS grain Enum8('hour' = 0, 'day' = 1, 'unknown' = 2) DEFAULT 'unknown';

-- The rules of 0003, and the grain.
ALTER TABLE ad_stats_check MODIFY QUERY
-- of ad-stats-check.sql
;

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
