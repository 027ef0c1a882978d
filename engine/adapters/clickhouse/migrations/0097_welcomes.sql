-- Of a welcome: its own page counts it, and the app's figures by day do not. What adds up keeps its views as they are:
-- after MODIFY QUERY a view has another identity once the server has started again, and a batch that was inserted before
-- counts twice. So the deliveries that are welcomes stand in a table of their own, where a row twice is a row.
ALTER TABLE outcomes ADD COLUMN IF NOT EXISTS welcome Bool DEFAULT false;

CREATE TABLE IF NOT EXISTS welcome_deliveries (
  app_id UInt32,
  delivery_id UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (app_id, delivery_id)
SETTINGS non_replicated_deduplication_window = 50000, replicated_deduplication_window = 50000, replicated_deduplication_window_seconds = 691200;

CREATE MATERIALIZED VIEW IF NOT EXISTS outcomes_to_welcomes TO welcome_deliveries AS
SELECT app_id, delivery_id
FROM outcomes
WHERE welcome
GROUP BY app_id, delivery_id;
