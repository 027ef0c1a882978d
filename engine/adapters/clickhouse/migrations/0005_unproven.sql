-- An event is proven by the secret of the browser whose row it counts for; everything else that a notification's
-- holder says is unproven. Rows of before count as they did.
ALTER TABLE events ADD COLUMN IF NOT EXISTS proven Bool DEFAULT true;

-- Beside the proven ones, never among them: numbers from 2^32 on, made of who claims it, so that a claim that
-- comes again counts once.
ALTER TABLE events_by_day ADD COLUMN IF NOT EXISTS unproven AggregateFunction(groupBitmap, UInt64);

ALTER TABLE events_to_day MODIFY QUERY
SELECT
  app_id,
  type,
  delivery_id,
  toDate(at) AS day,
  groupBitmapStateIf(subscriber, proven) AS subscribers,
  groupBitmapStateIf(subscriber, NOT proven) AS unproven
FROM events
GROUP BY app_id, type, delivery_id, day;

ALTER TABLE clicks_to_subscriber MODIFY QUERY
SELECT app_id, toUInt32(subscriber) AS seq, delivery_id
FROM events
WHERE toInt8(type) = 2 AND proven AND subscriber < 4294967296
GROUP BY app_id, seq, delivery_id;
