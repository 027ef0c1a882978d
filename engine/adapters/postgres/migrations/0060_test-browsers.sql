-- Up Migration

-- Subscriptions that a team sends tests to. No reference to the subscription: a trigger on its deletion takes these along,
-- one statement for all that are deleted together.
CREATE TABLE test_browsers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id integer NOT NULL REFERENCES apps,
  seq integer NOT NULL,
  name text NOT NULL,
  registered_by text NOT NULL,
  -- Of the link that it was registered by, which is good for one browser; null: it was picked from the subscribers.
  link text,
  registered_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (app_id, seq),
  UNIQUE (app_id, link)
);

CREATE FUNCTION drop_test_browsers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM test_browsers USING gone WHERE test_browsers.app_id = gone.app_id AND test_browsers.seq = gone.seq;
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_no_tests AFTER DELETE ON subscriptions
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION drop_test_browsers();

-- A delivery to chosen ones of these: sent for real, and counted in no statistic.
ALTER TABLE deliveries ADD COLUMN test boolean NOT NULL DEFAULT false;
CREATE INDEX deliveries_tests ON deliveries (app_id, id DESC) INCLUDE (created_at) WHERE test;

DROP TRIGGER deliveries_created_webhooks ON deliveries;
DROP TRIGGER deliveries_changed_webhooks ON deliveries;
CREATE TRIGGER deliveries_created_webhooks AFTER INSERT ON deliveries
  FOR EACH ROW WHEN (NOT NEW.rehearsal AND NOT NEW.test) EXECUTE FUNCTION queue_delivery_webhooks();
CREATE TRIGGER deliveries_changed_webhooks AFTER UPDATE OF status ON deliveries
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NOT NEW.rehearsal AND NOT NEW.test)
  EXECUTE FUNCTION queue_delivery_webhooks();

-- As before, but for tests: they count as sent to nobody.
CREATE OR REPLACE FUNCTION count_ended_shards() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended bigint[] := ARRAY(
    SELECT id FROM after JOIN before USING (id)
    WHERE after.state IN ('settled', 'stopped') AND before.state NOT IN ('settled', 'stopped')
      AND NOT EXISTS (SELECT FROM deliveries WHERE deliveries.id = after.delivery_id AND (rehearsal OR test))
  );
  part record;
BEGIN
  IF cardinality(ended) = 0 THEN RETURN NULL; END IF;
  FOR part IN
    SELECT app_id, block, accepted FROM blocks
    WHERE shard_id = ANY(ended) AND accepted <> decode(repeat('00', 128), 'hex') ORDER BY app_id, block
  LOOP
    INSERT INTO block_counts AS kept (app_id, block, sent)
    VALUES (part.app_id, part.block,
      ARRAY(SELECT get_bit(part.accepted, place) FROM generate_series(0, 1023) AS place))
    ON CONFLICT (app_id, block) DO UPDATE SET sent = ARRAY(
      SELECT CASE WHEN count < 0 THEN count ELSE count + get_bit(part.accepted, place::integer - 1) END
      FROM unnest(kept.sent) WITH ORDINALITY AS old (count, place) ORDER BY place
    );
  END LOOP;
  RETURN NULL;
END $$;

-- Down Migration
CREATE OR REPLACE FUNCTION count_ended_shards() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended bigint[] := ARRAY(
    SELECT id FROM after JOIN before USING (id)
    WHERE after.state IN ('settled', 'stopped') AND before.state NOT IN ('settled', 'stopped')
      AND NOT EXISTS (SELECT FROM deliveries WHERE deliveries.id = after.delivery_id AND rehearsal)
  );
  part record;
BEGIN
  IF cardinality(ended) = 0 THEN RETURN NULL; END IF;
  FOR part IN
    SELECT app_id, block, accepted FROM blocks
    WHERE shard_id = ANY(ended) AND accepted <> decode(repeat('00', 128), 'hex') ORDER BY app_id, block
  LOOP
    INSERT INTO block_counts AS kept (app_id, block, sent)
    VALUES (part.app_id, part.block,
      ARRAY(SELECT get_bit(part.accepted, place) FROM generate_series(0, 1023) AS place))
    ON CONFLICT (app_id, block) DO UPDATE SET sent = ARRAY(
      SELECT CASE WHEN count < 0 THEN count ELSE count + get_bit(part.accepted, place::integer - 1) END
      FROM unnest(kept.sent) WITH ORDINALITY AS old (count, place) ORDER BY place
    );
  END LOOP;
  RETURN NULL;
END $$;
DROP TRIGGER deliveries_changed_webhooks ON deliveries;
DROP TRIGGER deliveries_created_webhooks ON deliveries;
CREATE TRIGGER deliveries_created_webhooks AFTER INSERT ON deliveries
  FOR EACH ROW WHEN (NOT NEW.rehearsal) EXECUTE FUNCTION queue_delivery_webhooks();
CREATE TRIGGER deliveries_changed_webhooks AFTER UPDATE OF status ON deliveries
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NOT NEW.rehearsal)
  EXECUTE FUNCTION queue_delivery_webhooks();
DROP INDEX deliveries_tests;
ALTER TABLE deliveries DROP COLUMN test;
DROP TRIGGER subscriptions_no_tests ON subscriptions;
DROP FUNCTION drop_test_browsers;
DROP TABLE test_browsers;
