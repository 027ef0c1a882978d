-- Up Migration

-- A named rule over an app's subscriptions (engine/contract/audience.ts). Deleted ones stay as rows: past
-- deliveries tell which segment they went to, and a living name is free again.
CREATE TABLE segments (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
  name text NOT NULL,
  rules jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX segments_app ON segments (app_id, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE delivery_categories (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE UNIQUE INDEX delivery_categories_name ON delivery_categories (app_id, lower(name))
  WHERE deleted_at IS NULL;

-- Whom the delivery is for, frozen when it is planned: {rules, category, at}. Null: every subscribed one.
-- Plan counts with it and dispatch fixes each block's audience with it, whatever becomes of the segment.
ALTER TABLE deliveries ADD COLUMN audience jsonb;

-- A segment or category may not go while a delivery that is not planned yet needs it.
CREATE INDEX deliveries_segment ON deliveries (segment_id)
  WHERE status IN ('pending', 'scheduled', 'queued') AND segment_id IS NOT NULL;
CREATE INDEX deliveries_category ON deliveries (delivery_category_id)
  WHERE status IN ('pending', 'scheduled', 'queued') AND delivery_category_id IS NOT NULL;

-- Down Migration
DROP INDEX deliveries_category, deliveries_segment;
ALTER TABLE deliveries DROP COLUMN audience;
DROP TABLE delivery_categories, segments;
