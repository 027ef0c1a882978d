-- Up Migration

-- When an app last had a shard released, by lane: of apps with equally much in hand, the one whose turn is
-- longest ago comes next. Written under the lock of releasing, so nobody waits for a row.
CREATE TABLE release_turns (
  app_id integer NOT NULL,
  lane text NOT NULL CHECK (lane IN ('breaking', 'bulk')),
  turn timestamptz NOT NULL,
  PRIMARY KEY (app_id, lane)
);
ALTER TABLE release_turns SET (fillfactor = 50);

-- When the next target of a paced delivery may be handed to a push service. A row of its own: engines take
-- from it twice a second, and the delivery's is wide and locked by every shard that ends.
CREATE TABLE delivery_paces (
  delivery_id bigint PRIMARY KEY REFERENCES deliveries ON DELETE CASCADE,
  rate_per_minute integer NOT NULL CHECK (rate_per_minute > 0),
  next_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE delivery_paces SET (fillfactor = 50);
INSERT INTO delivery_paces (delivery_id, rate_per_minute)
  SELECT id, rate_per_minute FROM deliveries WHERE status = 'processing' AND rate_per_minute IS NOT NULL;

-- What is on the log or worked on is little, however much waits: counted at every release.
DROP INDEX shards_due;
CREATE INDEX shards_in_hand ON shards (due_at) WHERE state IN ('released', 'running');
CREATE INDEX shards_waiting ON shards (delivery_id, due_at) WHERE state = 'waiting';
CREATE INDEX deliveries_running ON deliveries (lane) WHERE status = 'processing';

-- Down Migration
DROP INDEX deliveries_running, shards_waiting, shards_in_hand;
CREATE INDEX shards_due ON shards (due_at) WHERE state IN ('released', 'running', 'waiting');
DROP TABLE delivery_paces, release_turns;
