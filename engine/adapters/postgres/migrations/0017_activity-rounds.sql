-- Up Migration

-- Of a shard whose app is throttled: how far it went through the audience, from the most recently active on.
ALTER TABLE shards ADD COLUMN activity_round smallint NOT NULL DEFAULT 0 CHECK (activity_round BETWEEN 0 AND 3);

-- Down Migration
ALTER TABLE shards DROP COLUMN activity_round;
