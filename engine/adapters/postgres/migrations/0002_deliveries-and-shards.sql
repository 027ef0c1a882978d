-- Up Migration

CREATE TABLE deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id integer NOT NULL REFERENCES apps,
  identifier text NOT NULL UNIQUE,
  name text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  url text NOT NULL,
  image_url text,
  status text NOT NULL CHECK (status IN
    ('pending', 'scheduled', 'queued', 'processing', 'partial', 'success', 'failed', 'cancelled')),
  source_type text NOT NULL DEFAULT 'api',
  lane text NOT NULL DEFAULT 'bulk' CHECK (lane IN ('breaking', 'bulk')),
  delivery_category_id integer,
  segment_id integer,
  ignore_frequency_cap boolean NOT NULL DEFAULT false,
  action_buttons jsonb NOT NULL DEFAULT '[]',
  ttl_seconds integer NOT NULL,
  require_interaction boolean NOT NULL DEFAULT false,
  topic text,
  urgency text NOT NULL DEFAULT 'normal',
  -- The notification as it is encrypted, built once at create: at most 3,993 bytes.
  plaintext bytea NOT NULL CHECK (octet_length(plaintext) <= 3993),
  scheduled_at timestamptz,
  queued_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  -- The plan's count while shards run, the sum of the fixed audiences once completed.
  total_subscribers integer NOT NULL DEFAULT 0,
  -- Filled when the delivery completes; while it runs they are the sum over its shards.
  capped_subscribers integer NOT NULL DEFAULT 0,
  success_count integer NOT NULL DEFAULT 0,
  failed_count integer NOT NULL DEFAULT 0,
  -- Shards not settled yet. 0 with status `processing` completes the delivery, in the same transaction.
  open_shards integer NOT NULL DEFAULT 0,
  error_message text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX deliveries_app ON deliveries (app_id, id DESC);
CREATE INDEX deliveries_due ON deliveries (scheduled_at) WHERE status = 'scheduled';

-- One row a shard: planned → released → running ⇄ waiting → settled, or stopped when the delivery was
-- cancelled. `engine/adapters/postgres/shards.ts` tells who moves it along each arrow.
CREATE TABLE shards (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id bigint NOT NULL REFERENCES deliveries ON DELETE CASCADE,
  app_id integer NOT NULL,
  number integer NOT NULL,
  -- The blocks of the shard, ascending: sparse blocks share a shard.
  blocks integer[] NOT NULL,
  planned_targets integer NOT NULL,
  state text NOT NULL DEFAULT 'planned' CHECK (state IN
    ('planned', 'released', 'running', 'waiting', 'settled', 'stopped')),
  -- When a waiting shard is due, a released one is published again, or a running one's lease has ended.
  due_at timestamptz,
  lease_owner text,
  lease_epoch integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  -- The delivery's counters live here, where one lease holder writes at a time: a row of the delivery
  -- itself would be a lock that all engines queue for at every block.
  audience_count integer NOT NULL DEFAULT 0,
  accepted_count integer NOT NULL DEFAULT 0,
  failed_count integer NOT NULL DEFAULT 0,
  capped_count integer NOT NULL DEFAULT 0,
  unknown_count integer NOT NULL DEFAULT 0,
  -- What failed most: {"<outcome> <status> <service>: <text>": count}, at most 8 entries.
  failure_reasons jsonb NOT NULL DEFAULT '{}',
  UNIQUE (delivery_id, number)
);
CREATE INDEX shards_due ON shards (due_at) WHERE state IN ('released', 'running', 'waiting');
CREATE INDEX shards_planned ON shards (delivery_id, number) WHERE state = 'planned';

-- Three maps of 1,024 bits a block (128 bytes each): the audience, fixed when the block first runs; who
-- was accepted; who is settled (accepted, failed for good, or capped).
CREATE TABLE blocks (
  app_id integer NOT NULL,
  -- No foreign key: its check would lock the delivery's row at every block.
  delivery_id bigint NOT NULL,
  block integer NOT NULL,
  shard_id bigint NOT NULL,
  audience bytea NOT NULL CHECK (octet_length(audience) = 128),
  accepted bytea NOT NULL CHECK (octet_length(accepted) = 128),
  settled bytea NOT NULL CHECK (octet_length(settled) = 128),
  PRIMARY KEY (app_id, block, delivery_id)
);
-- Rows change once or twice and only in place; room in the page keeps those updates off the index.
ALTER TABLE blocks SET (fillfactor = 60);
ALTER TABLE shards SET (fillfactor = 60);
CREATE INDEX blocks_shard ON blocks (shard_id);

-- What must reach the log. Written in the transaction that made it true, deleted after the log has it.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  key text NOT NULL,
  value jsonb,
  -- Packed block outcomes (`engine/contract/packed-outcomes.ts`); then value is null.
  packed bytea,
  -- Outcome rows are published in batches; a batch once named is published with the same rows again
  -- until it is gone, for its name is the deduplication token of its insert.
  batch_id text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX outbox_topic ON outbox (topic, id);
CREATE INDEX outbox_batch ON outbox (batch_id) WHERE batch_id IS NOT NULL;

-- Down Migration
DROP TABLE outbox, blocks, shards, deliveries;
