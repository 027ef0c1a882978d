-- Up Migration

-- Adds two lists place by place; the shorter one counts as zeros.
CREATE FUNCTION added_counts(a integer[], b integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(coalesce(x, 0) + coalesce(y, 0) ORDER BY place), '{}')
  FROM unnest(a, b) WITH ORDINALITY AS both_lists (x, y, place)
$$;

-- What came of the shard at each push service, in the order of `pushServices`, three numbers each: accepted,
-- failed, throttled (`engine/contract/service-counts.ts`). On the shard, as its other counters.
ALTER TABLE shards
  ADD COLUMN service_counts integer[] NOT NULL DEFAULT '{}',
  -- Accepted by push service in the last five seconds that saw some, and in the five before: a rate is read of it.
  ADD COLUMN span bigint NOT NULL DEFAULT 0,
  ADD COLUMN span_accepted integer[] NOT NULL DEFAULT '{}',
  ADD COLUMN span_before integer[] NOT NULL DEFAULT '{}';

-- Targets left for another attempt, by push service; null: none. Written whole at each end of the block, so
-- that nothing can drift.
ALTER TABLE blocks ADD COLUMN waiting integer[];
CREATE INDEX blocks_waiting ON blocks (shard_id) WHERE waiting IS NOT NULL;

-- Down Migration
DROP INDEX blocks_waiting;
ALTER TABLE blocks DROP COLUMN waiting;
ALTER TABLE shards DROP COLUMN span_before, DROP COLUMN span_accepted, DROP COLUMN span, DROP COLUMN service_counts;
DROP FUNCTION added_counts;
