-- Up Migration

-- Where the server's log was when the delivery was planned: a replica that has replayed it has every target that the
-- plan counted. NULL: planned by an earlier version, so that only the primary is read.
ALTER TABLE deliveries ADD COLUMN plan_position pg_lsn;

-- Down Migration
ALTER TABLE deliveries DROP COLUMN plan_position;
