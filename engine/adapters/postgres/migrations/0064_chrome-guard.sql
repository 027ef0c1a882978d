-- Up Migration

-- The guard against Chrome taking the permission away: `engine/contract/chrome-guard.ts`. Null: off.
ALTER TABLE apps ADD COLUMN chrome_guard jsonb;

-- Whom only the guard held back, of those in `capped`; null: nobody. And their numbers.
ALTER TABLE blocks ADD COLUMN guarded bytea CHECK (octet_length(guarded) = 128);
ALTER TABLE shards ADD COLUMN guarded_count integer NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN guarded_subscribers integer NOT NULL DEFAULT 0;

-- Down Migration
ALTER TABLE deliveries DROP COLUMN guarded_subscribers;
ALTER TABLE shards DROP COLUMN guarded_count;
ALTER TABLE blocks DROP COLUMN guarded;
ALTER TABLE apps DROP COLUMN chrome_guard;
