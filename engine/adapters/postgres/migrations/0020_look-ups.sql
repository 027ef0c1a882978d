-- Up Migration

-- No look-up of a subscription may depend on statistics. Of an app that they do not know the planner expects one
-- row: then every index that begins with app_id looks alike, the narrowest wins by a hair, and walks the whole
-- app for each key. So an index fits its own question only: but for the primary key, none that begins with app_id
-- can be used without a condition on what follows.
DROP INDEX subscriptions_id;
-- Every id is above 0; said here, the index fits those alone who ask for one.
CREATE UNIQUE INDEX subscriptions_id ON subscriptions (id, app_id) WHERE id > 0;
DROP INDEX subscriptions_endpoint;
CREATE UNIQUE INDEX subscriptions_endpoint ON subscriptions (decode(md5(endpoint), 'hex'), app_id);
-- Fits nothing that does not say `vapid_key_number >= 0`, or a number: whoever asks for status alone must not.
DROP INDEX subscriptions_vapid_key;
CREATE INDEX subscriptions_vapid_key ON subscriptions (app_id, vapid_key_number)
  WHERE status = 'subscribed' AND vapid_key_number >= 0;

-- Against the primary key: one look-up a key (LATERAL, LIMIT), and an order that only the right index has, in a
-- plan that may not sort. Equality would make the order void, so the key is asked for as a range.
CREATE FUNCTION subscriptions_at(app integer, endpoints text[]) RETURNS SETOF subscriptions
LANGUAGE plpgsql STABLE SET enable_sort = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY SELECT found.* FROM unnest(endpoints) AS given (endpoint) CROSS JOIN LATERAL (
    SELECT * FROM subscriptions WHERE app_id = app
      AND decode(md5(subscriptions.endpoint), 'hex') >= decode(md5(given.endpoint), 'hex')
      AND decode(md5(subscriptions.endpoint), 'hex') <= decode(md5(given.endpoint), 'hex')
    ORDER BY decode(md5(subscriptions.endpoint), 'hex') LIMIT 1
  ) AS found WHERE found.endpoint = given.endpoint;
END $$;

CREATE FUNCTION subscriptions_of_users(app integer, users text[], most_each integer) RETURNS SETOF subscriptions
LANGUAGE plpgsql STABLE SET enable_sort = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY SELECT found.* FROM unnest(users) AS given (user_identity) CROSS JOIN LATERAL (
    SELECT * FROM subscriptions WHERE app_id = app
      AND subscriptions.user_identity >= given.user_identity AND subscriptions.user_identity <= given.user_identity
    ORDER BY subscriptions.user_identity LIMIT most_each
  ) AS found;
END $$;

-- The triggers that keep the narrow tables had the same choice to make for every row. An INSERT finds the row that
-- it conflicts with by the index that it names, and no planner is asked.
CREATE OR REPLACE FUNCTION list_changed_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscription_facets (app_id, seq, created_at, status, device_type, browser, country, words)
  VALUES (NEW.app_id, NEW.seq, NEW.created_at, NEW.status, NEW.device_type, lower(NEW.browser_name), NEW.country,
    subscription_words(NEW.user_identity, NEW.external_ids))
  ON CONFLICT (app_id, seq) DO UPDATE SET created_at = excluded.created_at, status = excluded.status,
    device_type = excluded.device_type, browser = excluded.browser, country = excluded.country, words = excluded.words;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION list_changed_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscription_activity (app_id, seq, last_seen_at, last_clicked_at)
  VALUES (NEW.app_id, NEW.seq, NEW.last_seen_at, NEW.last_clicked_at)
  ON CONFLICT (app_id, seq) DO UPDATE
    SET last_seen_at = excluded.last_seen_at, last_clicked_at = excluded.last_clicked_at;
  RETURN NULL;
END $$;

-- `subscription_words` looks into the external ids by a statement of its own, the dearest part of a row that has
-- none, as those of an import.
CREATE OR REPLACE FUNCTION list_new_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscription_facets (app_id, seq, created_at, status, device_type, browser, country, words)
    SELECT app_id, seq, created_at, status, device_type, lower(browser_name), country,
      CASE WHEN external_ids = '{}' THEN lower(coalesce(user_identity, ''))
        ELSE subscription_words(user_identity, external_ids) END FROM added;
  INSERT INTO subscription_activity (app_id, seq, last_seen_at, last_clicked_at)
    SELECT app_id, seq, last_seen_at, last_clicked_at FROM added;
  INSERT INTO subscription_tags (app_id, key, value, created_at, seq)
    SELECT app_id, key, value, created_at, seq FROM added, jsonb_each_text(tags) WHERE tags <> '{}';
  RETURN NULL;
END $$;

-- A tag at a time, by all that its only index holds: joined, all tags of the app could be read for it.
CREATE OR REPLACE FUNCTION list_changed_tags() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  had record;
BEGIN
  FOR had IN SELECT key, value FROM jsonb_each_text(OLD.tags) LOOP
    CONTINUE WHEN NEW.tags ->> had.key = had.value AND NEW.created_at = OLD.created_at;
    DELETE FROM subscription_tags WHERE app_id = OLD.app_id AND key = had.key AND value = had.value
      AND created_at = OLD.created_at AND seq = OLD.seq;
  END LOOP;
  INSERT INTO subscription_tags (app_id, key, value, created_at, seq)
    SELECT NEW.app_id, key, value, NEW.created_at, NEW.seq FROM jsonb_each_text(NEW.tags) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION unlist_deleted_subscription() RETURNS trigger
LANGUAGE plpgsql SET enable_sort = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  each record;
BEGIN
  FOR each IN SELECT tableoid::regclass AS part, ctid AS place FROM subscription_facets
    WHERE app_id = OLD.app_id AND seq >= OLD.seq AND seq <= OLD.seq ORDER BY seq FOR UPDATE
  LOOP
    EXECUTE format('DELETE FROM %s WHERE ctid = $1', each.part) USING each.place;
  END LOOP;
  FOR each IN SELECT tableoid::regclass AS part, ctid AS place FROM subscription_activity
    WHERE app_id = OLD.app_id AND seq >= OLD.seq AND seq <= OLD.seq ORDER BY seq FOR UPDATE
  LOOP
    EXECUTE format('DELETE FROM %s WHERE ctid = $1', each.part) USING each.place;
  END LOOP;
  FOR each IN SELECT key, value FROM jsonb_each_text(OLD.tags) LOOP
    DELETE FROM subscription_tags WHERE app_id = OLD.app_id AND key = each.key AND value = each.value
      AND created_at = OLD.created_at AND seq = OLD.seq;
  END LOOP;
  RETURN NULL;
END $$;

-- Down Migration
DROP FUNCTION subscriptions_of_users, subscriptions_at;
DROP INDEX subscriptions_vapid_key, subscriptions_endpoint, subscriptions_id;
CREATE UNIQUE INDEX subscriptions_id ON subscriptions (app_id, id);
CREATE UNIQUE INDEX subscriptions_endpoint ON subscriptions (app_id, decode(md5(endpoint), 'hex'));
CREATE INDEX subscriptions_vapid_key ON subscriptions (app_id, vapid_key_number) WHERE status = 'subscribed';

CREATE OR REPLACE FUNCTION list_new_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE FUNCTION list_changed_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE subscription_facets SET created_at = NEW.created_at, status = NEW.status,
    device_type = NEW.device_type, browser = lower(NEW.browser_name), country = NEW.country,
    words = subscription_words(NEW.user_identity, NEW.external_ids)
  WHERE app_id = NEW.app_id AND seq = NEW.seq;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION list_changed_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE subscription_activity SET last_seen_at = NEW.last_seen_at, last_clicked_at = NEW.last_clicked_at
  WHERE app_id = NEW.app_id AND seq = NEW.seq;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION list_changed_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM subscription_tags USING jsonb_each_text(OLD.tags) AS had
  WHERE subscription_tags.app_id = OLD.app_id AND subscription_tags.key = had.key
    AND subscription_tags.value = had.value AND subscription_tags.created_at = OLD.created_at
    AND subscription_tags.seq = OLD.seq;
  INSERT INTO subscription_tags (app_id, key, value, created_at, seq)
    SELECT NEW.app_id, key, value, NEW.created_at, NEW.seq FROM jsonb_each_text(NEW.tags);
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION unlist_deleted_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM subscription_facets WHERE app_id = OLD.app_id AND seq = OLD.seq;
  DELETE FROM subscription_activity WHERE app_id = OLD.app_id AND seq = OLD.seq;
  DELETE FROM subscription_tags USING jsonb_each_text(OLD.tags) AS had
  WHERE subscription_tags.app_id = OLD.app_id AND subscription_tags.key = had.key
    AND subscription_tags.value = had.value AND subscription_tags.created_at = OLD.created_at
    AND subscription_tags.seq = OLD.seq;
  RETURN NULL;
END $$;
