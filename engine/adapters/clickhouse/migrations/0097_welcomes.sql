-- Of a welcome: its own page counts it, and the app's figures by day do not. Rows of one delivery agree, so the roll-up
-- needs no other key: where a merge sums up rows, it keeps the mark of one of them.
ALTER TABLE outcomes ADD COLUMN IF NOT EXISTS welcome Bool DEFAULT false;
ALTER TABLE outcomes_by_day ADD COLUMN IF NOT EXISTS welcome Bool DEFAULT false;

ALTER TABLE outcomes_to_day MODIFY QUERY
SELECT
  app_id,
  delivery_id,
  toDate(at) AS day,
  outcome,
  push_service,
  count() AS attempts,
  sum(latency_ms) AS latency_ms_sum,
  any(welcome) AS welcome
FROM outcomes
GROUP BY app_id, delivery_id, day, outcome, push_service;
