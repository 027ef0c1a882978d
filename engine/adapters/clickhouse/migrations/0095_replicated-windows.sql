-- A replicated table (a cluster's, or ClickHouse Cloud's) ignores the windows of 0001 and remembers the names of inserts
-- under these, for an hour by default: a batch that the log gives again after that would count twice. A week is what the
-- log keeps, and a day more. A table that is not replicated ignores these.
ALTER TABLE outcomes MODIFY SETTING replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
ALTER TABLE outcomes_by_day MODIFY SETTING replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
ALTER TABLE events MODIFY SETTING replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
ALTER TABLE events_by_day MODIFY SETTING replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
ALTER TABLE clicks_by_subscriber MODIFY SETTING replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
ALTER TABLE ad_stats MODIFY SETTING replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
ALTER TABLE ad_stats_refused MODIFY SETTING replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
ALTER TABLE ad_idn_names MODIFY SETTING replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
ALTER TABLE ad_currencies MODIFY SETTING replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
ALTER TABLE fx_rates MODIFY SETTING replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;
