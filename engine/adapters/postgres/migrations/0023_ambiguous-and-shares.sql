-- Up Migration

-- Attempts without a known ending: the message left and no answer came. Counted on the shards while a delivery
-- runs (`unknown_count`), and here once it completed; deliveries that completed before have their sums, too.
ALTER TABLE deliveries ADD COLUMN ambiguous_count integer NOT NULL DEFAULT 0;
UPDATE deliveries SET ambiguous_count = counted.ambiguous
FROM (
  SELECT delivery_id, sum(unknown_count) AS ambiguous FROM shards WHERE unknown_count > 0 GROUP BY delivery_id
) AS counted
WHERE deliveries.id = counted.delivery_id AND completed_at IS NOT NULL;

-- When an organization's turn was last, by lane: of two with as much in hand the other one is next. Without it an
-- organization with many apps would always have one whose turn is longest ago.
CREATE TABLE organization_turns (
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  lane text NOT NULL CHECK (lane IN ('breaking', 'bulk')),
  turn timestamptz NOT NULL,
  PRIMARY KEY (organization_id, lane)
);
-- Updated for each release, and never by an indexed column.
ALTER TABLE organization_turns SET (fillfactor = 50);

-- Down Migration
DROP TABLE organization_turns;
ALTER TABLE deliveries DROP COLUMN ambiguous_count;
