-- Up Migration

-- Leases of the shard that ended without a word: its engine died, or was away for longer. They are part of
-- `attempts`, which numbers the outcomes, and no try at its targets: those must not be given up for them.
ALTER TABLE shards ADD COLUMN lost_leases integer NOT NULL DEFAULT 0;

-- Down Migration
ALTER TABLE shards DROP COLUMN lost_leases;
