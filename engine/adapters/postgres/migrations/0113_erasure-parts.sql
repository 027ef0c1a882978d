-- Up Migration

-- What an erasure could not delete in its own transaction: anybody can subscribe under a known id, as often as they
-- like. Written with the receipt, so that it names exactly who was named when it was asked for; an engine deletes a
-- part in one transaction. `seq` is never given again.
CREATE TABLE erasure_parts (
  erasure_id bigint NOT NULL,
  part integer NOT NULL,
  app_id integer NOT NULL,
  -- To be erased; then those that were, until ClickHouse names them no more.
  seqs integer[] NOT NULL,
  subscriptions integer NOT NULL DEFAULT 0,
  erased_at timestamptz,
  completed_at timestamptz,
  PRIMARY KEY (erasure_id, part)
);
CREATE INDEX erasure_parts_app ON erasure_parts (app_id);
-- The first parts of all before the second of any: a large erasure makes no small one wait.
CREATE INDEX erasure_parts_waiting ON erasure_parts (part, erasure_id) WHERE erased_at IS NULL;
CREATE INDEX erasure_parts_open ON erasure_parts (erasure_id, part) WHERE erased_at IS NOT NULL AND completed_at IS NULL;

-- Down Migration
DROP TABLE erasure_parts;
