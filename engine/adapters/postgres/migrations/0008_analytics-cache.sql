-- Up Migration

-- Answers of analytics, kept for a few minutes for all processes. Unlogged: a crash empties it, and the next
-- question fills it again. Rows past their time are deleted as others are written.
CREATE UNLOGGED TABLE analytics_cache (
  app_id integer NOT NULL,
  -- The path and what it was asked for: `engagement 30`.
  question text NOT NULL,
  -- Not jsonb: it is given as it was, never looked into.
  answer json NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (app_id, question)
);
CREATE INDEX analytics_cache_until ON analytics_cache (until);

-- A delivery counts on the day it was due, which never changes, however long it waited and ran.
CREATE INDEX deliveries_day ON deliveries (app_id, coalesce(scheduled_at, created_at));

-- Down Migration
DROP INDEX deliveries_day;
DROP TABLE analytics_cache;
