-- Of a delivery to test browsers: its own page counts them, and no reader's clicks do.
ALTER TABLE events ADD COLUMN IF NOT EXISTS test Bool DEFAULT false;

ALTER TABLE clicks_to_subscriber MODIFY QUERY
SELECT app_id, toUInt32(subscriber) AS seq, delivery_id
FROM events
WHERE toInt8(type) = 2 AND proven AND NOT test AND subscriber < 4294967296
GROUP BY app_id, seq, delivery_id;
