-- Up Migration

-- Receipts of people's erasure. Nothing of the person is in them: of what was erased they have its numbers alone,
-- and those only until ClickHouse names them no more.
CREATE TABLE erasures (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id integer NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- What the person was named by.
  named_by text NOT NULL CHECK (named_by IN ('user_identity', 'external_id', 'endpoint')),
  subscriptions integer NOT NULL,
  -- Of the subscriptions; empty once the erasure is complete.
  seqs integer[] NOT NULL,
  completed_at timestamptz
);
CREATE INDEX erasures_app ON erasures (app_id, id);
CREATE INDEX erasures_open ON erasures (id) WHERE completed_at IS NULL;

-- Down Migration
DROP TABLE erasures;
