-- Up Migration

-- What a load changed that readers may have seen: days that it replaced, or final days that it added to. Written when the
-- load begins to count; what it names is enough to count the rows before and after it at any later moment, until
-- `counted_at`. Rows of ClickHouse that it concerns are not deleted before.
CREATE TABLE ad_restatements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  load bigint NOT NULL UNIQUE REFERENCES ad_loads ON DELETE CASCADE,
  source text NOT NULL,
  -- Whose days these are.
  zone text NOT NULL,
  replaces boolean NOT NULL,
  days date[] NOT NULL,
  -- Of each day, in their order: rows below were dead before, and whether it was final.
  belows bigint[] NOT NULL,
  finals boolean[] NOT NULL,
  -- Of the ledger at that moment.
  max_load bigint NOT NULL,
  hidden bigint[] NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  counted_at timestamptz
);
CREATE INDEX ad_restatements_uncounted ON ad_restatements (id) WHERE counted_at IS NULL;
CREATE INDEX ad_restatements_counted ON ad_restatements (source, counted_at);

-- Down Migration
DROP TABLE ad_restatements;
