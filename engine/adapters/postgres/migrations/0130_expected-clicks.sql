-- Up Migration

-- Proven clicks of a reader as of `last_clicked_at`, older ones for less: `engine/contract/expected-clicks.ts`. A reader
-- who clicked before this column was there has clicked once, as far as is known.
ALTER TABLE subscriptions ADD COLUMN clicks real NOT NULL DEFAULT 0;

-- Rounds are by expected clicks now, and there are more of them.
ALTER TABLE shards DROP CONSTRAINT shards_activity_round_check,
  ADD CONSTRAINT shards_activity_round_check CHECK (activity_round BETWEEN 0 AND 18) NOT VALID;

-- Down Migration
UPDATE shards SET activity_round = least(activity_round, 3);
ALTER TABLE shards DROP CONSTRAINT shards_activity_round_check,
  ADD CONSTRAINT shards_activity_round_check CHECK (activity_round BETWEEN 0 AND 3);
ALTER TABLE subscriptions DROP COLUMN clicks;
