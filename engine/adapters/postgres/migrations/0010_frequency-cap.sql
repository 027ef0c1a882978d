-- Up Migration

ALTER TABLE blocks
  -- How long the row matters to the app's frequency cap. 'infinity': a target is left, and holds its slot. Then
  -- when the last one was accepted, '-infinity' where none was. Null: it never does (a rehearsal).
  ADD COLUMN slots_at timestamptz,
  -- When each attempt that accepted somebody ended, ascending; and the accepted map as it was before each of
  -- them but the first. Most blocks have one attempt, so one time and no map.
  ADD COLUMN accepted_at timestamptz[] NOT NULL DEFAULT '{}',
  ADD COLUMN earlier_accepted bytea[] NOT NULL DEFAULT '{}',
  -- Whom the cap held back; null: nobody.
  ADD COLUMN capped bytea CHECK (octet_length(capped) = 128);

UPDATE blocks SET
  accepted_at = CASE WHEN accepted = decode(repeat('00', 128), 'hex') THEN '{}'
    ELSE ARRAY[coalesce(completed_at, deliveries.updated_at)] END,
  slots_at = CASE WHEN settled <> blocks.audience AND state IN ('planned', 'released', 'running', 'waiting') THEN 'infinity'
    WHEN accepted = decode(repeat('00', 128), 'hex') THEN '-infinity'
    ELSE coalesce(completed_at, deliveries.updated_at) END
FROM shards, deliveries WHERE shards.id = blocks.shard_id AND deliveries.id = blocks.delivery_id;

-- What a delivery must add up for a block is what is inside the window, however long the history.
CREATE INDEX blocks_slots ON blocks (app_id, block, slots_at);

-- Whoever stops a shard: nothing more of it can be sent, so the slots of those who are left are free again.
CREATE FUNCTION free_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE blocks SET slots_at = coalesce(accepted_at[cardinality(accepted_at)], '-infinity')
  WHERE shard_id = NEW.id AND slots_at = 'infinity';
  RETURN NULL;
END $$;
CREATE TRIGGER shards_stopped AFTER UPDATE OF state ON shards
  FOR EACH ROW WHEN (NEW.state = 'stopped') EXECUTE FUNCTION free_slots();

-- Down Migration
DROP TRIGGER shards_stopped ON shards;
DROP FUNCTION free_slots;
DROP INDEX blocks_slots;
ALTER TABLE blocks DROP COLUMN capped, DROP COLUMN earlier_accepted, DROP COLUMN accepted_at, DROP COLUMN slots_at;
