-- Up Migration

-- Which of the app's key pairs a subscription was made with: browsers bind it to one for life. Numbers count
-- within the app from 1, and the app's row holds the active pair.
ALTER TABLE subscriptions ADD COLUMN vapid_key_number smallint NOT NULL DEFAULT 1;
-- Counts and finds who is still on a key; equal entries share one in the index.
CREATE INDEX subscriptions_vapid_key ON subscriptions (app_id, vapid_key_number) WHERE status = 'subscribed';

ALTER TABLE apps
  ADD COLUMN vapid_key_number smallint NOT NULL DEFAULT 1,
  -- Null: as old as the app.
  ADD COLUMN vapid_key_created_at timestamptz;

-- Pairs that an app has had before its active one. `retiring`: subscriptions made with it are sent to, new ones
-- are still taken; `ended`: those left are being unsubscribed; `retired`: none is left, and the private key is
-- thrown away.
CREATE TABLE vapid_keys (
  app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
  number smallint NOT NULL,
  public_key text NOT NULL,
  -- As in apps.
  private_key_sealed bytea,
  state text NOT NULL DEFAULT 'retiring' CHECK (state IN ('retiring', 'ended', 'retired')),
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (app_id, number),
  CHECK ((private_key_sealed IS NULL) = (state = 'retired'))
);
-- One rotation at a time.
CREATE UNIQUE INDEX vapid_keys_open ON vapid_keys (app_id) WHERE state <> 'retired';
CREATE INDEX vapid_keys_ended ON vapid_keys (ended_at) WHERE state = 'ended';

-- Since when secrets are sealed under a master key, by the first bytes of its hash: notifications sent before
-- carry proofs of the key before it.
CREATE TABLE master_keys (
  key_id bytea PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now()
);

-- Down Migration
DROP TABLE master_keys, vapid_keys;
ALTER TABLE apps DROP COLUMN vapid_key_created_at, DROP COLUMN vapid_key_number;
ALTER TABLE subscriptions DROP COLUMN vapid_key_number;
