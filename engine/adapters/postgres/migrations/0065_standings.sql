-- Up Migration

-- How a push service treats an app: a row for each time that it was limited, open until it is normal again. Shared by
-- all engines (`engine/contract/standing.ts`); `next_at` is the pace of the budget, as in `delivery_paces`.
CREATE TABLE push_service_standings (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id integer NOT NULL REFERENCES apps (id),
  -- A name of `pushServices`.
  service text NOT NULL,
  limited_since timestamptz NOT NULL,
  -- As measured; the budget of all engines together while the row is open.
  allowed_per_minute integer NOT NULL CHECK (allowed_per_minute > 0),
  -- The lowest that was measured.
  lowest_per_minute integer NOT NULL CHECK (lowest_per_minute > 0),
  -- Null: this push service says nothing about how long it lasts.
  probable_end_at timestamptz,
  throttled_at timestamptz NOT NULL,
  -- A higher budget is tried from then on, and after one that was refused only after a longer time.
  grow_at timestamptz NOT NULL,
  grow_wait_minutes integer NOT NULL,
  next_at timestamptz NOT NULL DEFAULT '-infinity',
  -- Bulk messages wait for breaking ones until then.
  breaking_until timestamptz NOT NULL DEFAULT '-infinity',
  ended_at timestamptz
);
CREATE UNIQUE INDEX push_service_standings_open ON push_service_standings (app_id, service) WHERE ended_at IS NULL;
CREATE INDEX push_service_standings_app ON push_service_standings (app_id, limited_since);

-- Answers a minute, of minutes in which the push service throttled the app or was known to limit it.
CREATE TABLE push_service_minutes (
  app_id integer NOT NULL REFERENCES apps (id),
  service text NOT NULL,
  minute timestamptz NOT NULL,
  accepted integer NOT NULL,
  throttled integer NOT NULL,
  PRIMARY KEY (app_id, service, minute)
);
CREATE INDEX push_service_minutes_minute ON push_service_minutes (minute);

-- Waits for the budget of a push service that limits its app, not only for `due_at`.
ALTER TABLE shards ADD COLUMN budgeted boolean NOT NULL DEFAULT false;
CREATE INDEX shards_budgeted ON shards (app_id) WHERE budgeted AND state IN ('waiting', 'released', 'running');

-- Down Migration
ALTER TABLE shards DROP COLUMN budgeted;
DROP TABLE push_service_minutes;
DROP TABLE push_service_standings;
