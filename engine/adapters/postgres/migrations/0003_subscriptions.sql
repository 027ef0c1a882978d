-- Up Migration

-- Delivery categories that the browser's user chose. Null: never asked.
ALTER TABLE subscriptions ADD COLUMN category_ids integer[];

-- True from the first subscription on that stated categories: from then on a delivery in a category goes to
-- those who chose it.
ALTER TABLE apps ADD COLUMN uses_categories boolean NOT NULL DEFAULT false;
-- Deleted: nobody sees it any more, and a loop removes what it owns in the background.
ALTER TABLE apps ADD COLUMN deleted_at timestamptz;
-- Every preflight asks whether any app lives at the origin.
CREATE INDEX apps_site_domain ON apps (site_domain) WHERE deleted_at IS NULL;

-- Room in the page keeps the write of a browser that comes back off the table's indexes (HOT).
DO $$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('ALTER TABLE %I SET (fillfactor = 90)', 'subscriptions_' || lpad(part::text, 2, '0'));
  END LOOP;
END $$;

-- What lists of subscriptions are filtered and sorted by, in narrow tables of their own. They are derived,
-- like an index, and triggers keep them: nobody else writes them. A subscription is some 600 bytes wide and
-- is written whenever its browser comes back, so indexes on it cost each such write an entry in every one of
-- them, and counting by them reads the wide rows again (1 s for half a million). Here nothing is written but
-- what changed, and counting a million takes 0.1 s.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE subscription_facets (
  app_id integer NOT NULL,
  seq integer NOT NULL,
  created_at timestamptz NOT NULL,
  status text NOT NULL,
  device_type text,
  -- Lower case.
  browser text,
  country text,
  -- What a search looks through: user identity and values of external ids, lower case, a line each.
  words text NOT NULL,
  PRIMARY KEY (app_id, seq)
) PARTITION BY HASH (app_id);

-- Apart from the facets, for it is written far more often.
CREATE TABLE subscription_activity (
  app_id integer NOT NULL,
  seq integer NOT NULL,
  last_seen_at timestamptz NOT NULL,
  last_clicked_at timestamptz,
  PRIMARY KEY (app_id, seq)
) PARTITION BY HASH (app_id);

-- A row a tag. `created_at` is the subscription's: a tag's subscriptions are found in the order of lists.
CREATE TABLE subscription_tags (
  app_id integer NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  created_at timestamptz NOT NULL,
  seq integer NOT NULL,
  PRIMARY KEY (app_id, key, value, created_at, seq)
) PARTITION BY HASH (app_id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['subscription_facets', 'subscription_activity', 'subscription_tags'] LOOP
    FOR part IN 0..15 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
        name || '_' || lpad(part::text, 2, '0'), name, part);
    END LOOP;
  END LOOP;
END $$;

-- An index a filter, each in the order of the default sort: the first and the last page are its two ends.
CREATE INDEX subscription_facets_created ON subscription_facets (app_id, created_at, seq);
CREATE INDEX subscription_facets_status ON subscription_facets (app_id, status, created_at, seq);
CREATE INDEX subscription_facets_device ON subscription_facets (app_id, device_type, created_at, seq);
CREATE INDEX subscription_facets_browser ON subscription_facets (app_id, browser, created_at, seq);
CREATE INDEX subscription_facets_country ON subscription_facets (app_id, country, created_at, seq);
CREATE INDEX subscription_facets_words ON subscription_facets USING gin (words gin_trgm_ops);
CREATE INDEX subscription_activity_seen ON subscription_activity (app_id, last_seen_at, seq);
-- Who never clicked is before everybody who did, in both directions.
CREATE INDEX subscription_activity_clicked ON subscription_activity (app_id, last_clicked_at NULLS FIRST, seq);

-- Notifications that push services accepted, for each of a block's 1,024 `seq` in their order; -1 for one
-- that was deleted. A trigger adds a shard's accepted maps when it ends, in the transaction that ends it.
CREATE TABLE block_counts (
  app_id integer NOT NULL,
  block integer NOT NULL,
  sent integer[] NOT NULL CHECK (cardinality(sent) = 1024),
  PRIMARY KEY (app_id, block)
);

-- With all that lists of deliveries are filtered by, so that none of them reads the wide rows to count.
DROP INDEX deliveries_app;
CREATE INDEX deliveries_app ON deliveries (app_id, id DESC)
  INCLUDE (status, created_at, delivery_category_id, name, title);

CREATE FUNCTION subscription_words(user_identity text, external_ids jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(concat_ws(E'\n', user_identity,
    (SELECT string_agg(value, E'\n' ORDER BY key) FROM jsonb_each_text(external_ids))))
$$;

CREATE FUNCTION list_new_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscription_facets (app_id, seq, created_at, status, device_type, browser, country, words)
    SELECT app_id, seq, created_at, status, device_type, lower(browser_name), country,
      subscription_words(user_identity, external_ids) FROM added;
  INSERT INTO subscription_activity (app_id, seq, last_seen_at, last_clicked_at)
    SELECT app_id, seq, last_seen_at, last_clicked_at FROM added;
  INSERT INTO subscription_tags (app_id, key, value, created_at, seq)
    SELECT app_id, key, value, created_at, seq FROM added, jsonb_each_text(tags);
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_added AFTER INSERT ON subscriptions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION list_new_subscriptions();

CREATE FUNCTION list_changed_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE subscription_facets SET created_at = NEW.created_at, status = NEW.status,
    device_type = NEW.device_type, browser = lower(NEW.browser_name), country = NEW.country,
    words = subscription_words(NEW.user_identity, NEW.external_ids)
  WHERE app_id = NEW.app_id AND seq = NEW.seq;
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_facets
  AFTER UPDATE OF created_at, status, device_type, browser_name, country, user_identity, external_ids
  ON subscriptions FOR EACH ROW WHEN (
    (OLD.created_at, OLD.status, OLD.device_type, OLD.browser_name, OLD.country, OLD.user_identity, OLD.external_ids)
    IS DISTINCT FROM
    (NEW.created_at, NEW.status, NEW.device_type, NEW.browser_name, NEW.country, NEW.user_identity, NEW.external_ids)
  ) EXECUTE FUNCTION list_changed_facets();

CREATE FUNCTION list_changed_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE subscription_activity SET last_seen_at = NEW.last_seen_at, last_clicked_at = NEW.last_clicked_at
  WHERE app_id = NEW.app_id AND seq = NEW.seq;
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_activity AFTER UPDATE OF last_seen_at, last_clicked_at ON subscriptions
  FOR EACH ROW WHEN (
    (OLD.last_seen_at, OLD.last_clicked_at) IS DISTINCT FROM (NEW.last_seen_at, NEW.last_clicked_at)
  ) EXECUTE FUNCTION list_changed_activity();

CREATE FUNCTION list_changed_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM subscription_tags USING jsonb_each_text(OLD.tags) AS had
  WHERE subscription_tags.app_id = OLD.app_id AND subscription_tags.key = had.key
    AND subscription_tags.value = had.value AND subscription_tags.created_at = OLD.created_at
    AND subscription_tags.seq = OLD.seq;
  INSERT INTO subscription_tags (app_id, key, value, created_at, seq)
    SELECT NEW.app_id, key, value, NEW.created_at, NEW.seq FROM jsonb_each_text(NEW.tags);
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_tags AFTER UPDATE OF tags, created_at ON subscriptions
  FOR EACH ROW WHEN ((OLD.tags, OLD.created_at) IS DISTINCT FROM (NEW.tags, NEW.created_at))
  EXECUTE FUNCTION list_changed_tags();

CREATE FUNCTION unlist_deleted_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM subscription_facets WHERE app_id = OLD.app_id AND seq = OLD.seq;
  DELETE FROM subscription_activity WHERE app_id = OLD.app_id AND seq = OLD.seq;
  DELETE FROM subscription_tags USING jsonb_each_text(OLD.tags) AS had
  WHERE subscription_tags.app_id = OLD.app_id AND subscription_tags.key = had.key
    AND subscription_tags.value = had.value AND subscription_tags.created_at = OLD.created_at
    AND subscription_tags.seq = OLD.seq;
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_deleted AFTER DELETE ON subscriptions
  FOR EACH ROW EXECUTE FUNCTION unlist_deleted_subscription();

-- Blocks are written in their order, here and below: two that write several of them wait, and do not lock up.
CREATE FUNCTION uncount_deleted_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  part record;
BEGIN
  FOR part IN
    SELECT app_id, seq >> 10 AS block, array_agg(seq & 1023) AS places FROM gone GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    INSERT INTO block_counts AS kept (app_id, block, sent)
    VALUES (part.app_id, part.block,
      ARRAY(SELECT CASE WHEN place = ANY(part.places) THEN -1 ELSE 0 END FROM generate_series(0, 1023) AS place))
    ON CONFLICT (app_id, block) DO UPDATE SET sent = ARRAY(
      SELECT CASE WHEN place - 1 = ANY(part.places) THEN -1 ELSE count END
      FROM unnest(kept.sent) WITH ORDINALITY AS old (count, place) ORDER BY place
    );
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_uncounted AFTER DELETE ON subscriptions
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION uncount_deleted_subscriptions();

-- Whoever ends a shard (settled, stopped, or cancelled while it waited for another attempt): its accepted
-- maps are final then, and are counted exactly once, for an ended shard never changes its state again.
CREATE FUNCTION count_ended_shards() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended bigint[] := ARRAY(
    SELECT id FROM after JOIN before USING (id)
    WHERE after.state IN ('settled', 'stopped') AND before.state NOT IN ('settled', 'stopped')
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
CREATE TRIGGER shards_ended AFTER UPDATE ON shards
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_ended_shards();

-- What the columns of subscriptions held before this migration.
INSERT INTO subscription_facets (app_id, seq, created_at, status, device_type, browser, country, words)
  SELECT app_id, seq, created_at, status, device_type, lower(browser_name), country,
    subscription_words(user_identity, external_ids) FROM subscriptions ORDER BY app_id, seq;
INSERT INTO subscription_activity (app_id, seq, last_seen_at, last_clicked_at)
  SELECT app_id, seq, last_seen_at, last_clicked_at FROM subscriptions ORDER BY app_id, seq;
INSERT INTO subscription_tags (app_id, key, value, created_at, seq)
  SELECT app_id, key, value, created_at, seq FROM subscriptions, jsonb_each_text(tags);
INSERT INTO block_counts (app_id, block, sent)
  SELECT app_id, block, ARRAY(
    SELECT sum(get_bit(accepted, place))::integer FROM unnest(maps) AS accepted, generate_series(0, 1023) AS place
    GROUP BY place ORDER BY place
  )
  FROM (
    SELECT blocks.app_id, block, array_agg(accepted) AS maps FROM blocks JOIN shards ON shards.id = shard_id
    WHERE state IN ('settled', 'stopped') GROUP BY blocks.app_id, block
  ) AS ended;

-- Down Migration
DROP TRIGGER shards_ended ON shards;
DROP TRIGGER subscriptions_uncounted ON subscriptions;
DROP TRIGGER subscriptions_deleted ON subscriptions;
DROP TRIGGER subscriptions_tags ON subscriptions;
DROP TRIGGER subscriptions_activity ON subscriptions;
DROP TRIGGER subscriptions_facets ON subscriptions;
DROP TRIGGER subscriptions_added ON subscriptions;
DROP FUNCTION count_ended_shards, uncount_deleted_subscriptions, unlist_deleted_subscription, list_changed_tags,
  list_changed_activity, list_changed_facets, list_new_subscriptions, subscription_words;
DROP TABLE block_counts, subscription_tags, subscription_activity, subscription_facets;
DROP INDEX deliveries_app;
CREATE INDEX deliveries_app ON deliveries (app_id, id DESC);
DROP INDEX apps_site_domain;
ALTER TABLE apps DROP COLUMN deleted_at, DROP COLUMN uses_categories;
ALTER TABLE subscriptions DROP COLUMN category_ids;
