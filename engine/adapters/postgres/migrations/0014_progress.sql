-- Up Migration

-- A rehearsal goes through the whole engine and reaches no push service: no cap and no statistic counts it.
ALTER TABLE deliveries ADD COLUMN rehearsal boolean NOT NULL DEFAULT false;

-- How far running deliveries were at a moment: what a forecast is made of. A few rows a delivery, written by
-- one engine for all and removed after a minute; of no worth after a crash, so not logged. No foreign key:
-- its check would lock the row of the delivery.
CREATE UNLOGGED TABLE progress_samples (
  delivery_id bigint NOT NULL,
  at timestamptz NOT NULL,
  -- Accepted, failed for good or capped by then.
  ended integer NOT NULL,
  PRIMARY KEY (delivery_id, at)
);
CREATE INDEX progress_samples_age ON progress_samples (at);

-- What has not ended is counted without a look at what has.
CREATE INDEX deliveries_open ON deliveries (status)
  WHERE status IN ('pending', 'scheduled', 'queued', 'processing');

-- As before, but for rehearsals: nothing was sent to anybody.
CREATE OR REPLACE FUNCTION count_ended_shards() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended bigint[] := ARRAY(
    SELECT id FROM after JOIN before USING (id)
    WHERE after.state IN ('settled', 'stopped') AND before.state NOT IN ('settled', 'stopped')
      AND NOT EXISTS (SELECT FROM deliveries WHERE deliveries.id = after.delivery_id AND rehearsal)
  );
  part record;
BEGIN
  IF cardinality(ended) = 0 THEN RETURN NULL; END IF;
  FOR part IN
    SELECT app_id, block, accepted FROM blocks
    WHERE shard_id = ANY(ended) AND accepted <> decode(repeat('00', 128), 'hex') ORDER BY app_id, block
  LOOP
    INSERT INTO block_counts AS kept (app_id, block, sent)
    VALUES (part.app_id, part.block,
      ARRAY(SELECT get_bit(part.accepted, place) FROM generate_series(0, 1023) AS place))
    ON CONFLICT (app_id, block) DO UPDATE SET sent = ARRAY(
      SELECT CASE WHEN count < 0 THEN count ELSE count + get_bit(part.accepted, place::integer - 1) END
      FROM unnest(kept.sent) WITH ORDINALITY AS old (count, place) ORDER BY place
    );
  END LOOP;
  RETURN NULL;
END $$;

-- Down Migration
CREATE OR REPLACE FUNCTION count_ended_shards() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended bigint[] := ARRAY(
    SELECT id FROM after JOIN before USING (id)
    WHERE after.state IN ('settled', 'stopped') AND before.state NOT IN ('settled', 'stopped')
  );
  part record;
BEGIN
  IF cardinality(ended) = 0 THEN RETURN NULL; END IF;
  FOR part IN
    SELECT app_id, block, accepted FROM blocks
    WHERE shard_id = ANY(ended) AND accepted <> decode(repeat('00', 128), 'hex') ORDER BY app_id, block
  LOOP
    INSERT INTO block_counts AS kept (app_id, block, sent)
    VALUES (part.app_id, part.block,
      ARRAY(SELECT get_bit(part.accepted, place) FROM generate_series(0, 1023) AS place))
    ON CONFLICT (app_id, block) DO UPDATE SET sent = ARRAY(
      SELECT CASE WHEN count < 0 THEN count ELSE count + get_bit(part.accepted, place::integer - 1) END
      FROM unnest(kept.sent) WITH ORDINALITY AS old (count, place) ORDER BY place
    );
  END LOOP;
  RETURN NULL;
END $$;
DROP INDEX deliveries_open;
DROP TABLE progress_samples;
ALTER TABLE deliveries DROP COLUMN rehearsal;
