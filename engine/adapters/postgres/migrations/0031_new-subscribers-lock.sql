-- Up Migration

-- The app's row before its days, like everywhere else: an import writes its subscriptions without that row, so that
-- browsers subscribe meanwhile, and takes it here.
CREATE OR REPLACE FUNCTION count_new_subscribers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM apps WHERE id = ANY(ARRAY(SELECT DISTINCT app_id FROM added)) ORDER BY id FOR NO KEY UPDATE;
  INSERT INTO subscriber_days AS kept (app_id, day, new_subscribers)
    SELECT app_id, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (app_id, day) DO UPDATE SET new_subscribers = kept.new_subscribers + excluded.new_subscribers;
  RETURN NULL;
END $$;

-- Down Migration
CREATE OR REPLACE FUNCTION count_new_subscribers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_days AS kept (app_id, day, new_subscribers)
    SELECT app_id, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (app_id, day) DO UPDATE SET new_subscribers = kept.new_subscribers + excluded.new_subscribers;
  RETURN NULL;
END $$;
