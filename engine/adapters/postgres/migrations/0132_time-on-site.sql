-- Up Migration

-- Up to when a browser's time on the site is counted: what it reports next cannot be longer than what has passed since.
ALTER TABLE subscriptions ADD COLUMN site_time_at timestamptz;

-- Seconds that the pages of an app's site were in view of its subscribers, by the day (UTC) of the report.
CREATE TABLE site_time_days (
  app_id integer NOT NULL REFERENCES apps,
  day date NOT NULL,
  seconds bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (app_id, day)
);

-- Down Migration
DROP TABLE site_time_days;
ALTER TABLE subscriptions DROP COLUMN site_time_at;
