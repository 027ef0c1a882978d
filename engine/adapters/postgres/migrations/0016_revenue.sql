-- Up Migration

-- How an app grew: subscriptions by the day (UTC) they were made, whatever became of them. Counted as they
-- come, for one that is deleted leaves no row behind, and the days gone by must not change with it.
CREATE TABLE subscriber_days (
  app_id integer NOT NULL,
  day date NOT NULL,
  new_subscribers integer NOT NULL,
  PRIMARY KEY (app_id, day)
);
-- Today's row is written with every batch of new browsers.
ALTER TABLE subscriber_days SET (fillfactor = 50);

-- Days in their order: two that write several of them wait, and do not lock up.
CREATE FUNCTION count_new_subscribers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_days AS kept (app_id, day, new_subscribers)
    SELECT app_id, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (app_id, day) DO UPDATE SET new_subscribers = kept.new_subscribers + excluded.new_subscribers;
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_counted AFTER INSERT ON subscriptions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_new_subscribers();

-- Those that are still there; what was deleted before this migration is not known any more.
INSERT INTO subscriber_days (app_id, day, new_subscribers)
  SELECT app_id, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM subscription_facets GROUP BY 1, 2;

-- Whose earnings an organization may see: the operator says so. The site that an app names is whatever its
-- publisher typed, and opens nothing by itself.
CREATE TABLE revenue_domains (
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Lower case, without `www.`: the domain and all below it. `*`: every site that an app of it names.
  domain text NOT NULL,
  granted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, domain)
);

-- Down Migration
DROP TABLE revenue_domains;
DROP TRIGGER subscriptions_counted ON subscriptions;
DROP FUNCTION count_new_subscribers;
DROP TABLE subscriber_days;
