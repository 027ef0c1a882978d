-- Up Migration

-- When a visit found that the browser had taken the permission away, and when the reader was subscribed again since.
ALTER TABLE subscriptions ADD COLUMN revoked_at timestamptz;
ALTER TABLE subscriptions ADD COLUMN won_back_at timestamptz;

-- Readers of an app whose permission was found to be lost on a day (UTC), and those of them who came back, whenever.
CREATE TABLE permission_days (
  app_id integer NOT NULL REFERENCES apps,
  day date NOT NULL,
  revoked bigint NOT NULL DEFAULT 0,
  won_back bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (app_id, day)
);

-- Down Migration
DROP TABLE permission_days;
ALTER TABLE subscriptions DROP COLUMN won_back_at;
ALTER TABLE subscriptions DROP COLUMN revoked_at;
