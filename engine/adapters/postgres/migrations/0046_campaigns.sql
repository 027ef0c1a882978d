-- Up Migration

-- A set of ordinary deliveries and what it does next: engine/contract/campaign.ts has the shape of its columns of JSON.
CREATE TABLE campaigns (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id integer NOT NULL REFERENCES apps,
  kind text NOT NULL CHECK (kind IN ('ab_test', 'local_time', 'recurring', 'quiet_hours')),
  name text NOT NULL,
  status text NOT NULL DEFAULT 'scheduled' CHECK (status IN
    ('scheduled', 'running', 'deciding', 'completed', 'cancelled', 'failed')),
  settings jsonb NOT NULL,
  progress jsonb NOT NULL DEFAULT '{}',
  -- What its settings name, so that it is not deleted while the campaign may need it.
  segment_id integer,
  delivery_category_id integer,
  image_hashes bytea[] NOT NULL DEFAULT '{}',
  -- Raised by every change of the row. A step writes its deliveries in the transaction that raises it: none happens twice.
  step integer NOT NULL DEFAULT 0,
  next_step_at timestamptz,
  -- When a step that failed is tried again.
  retry_at timestamptz,
  -- A firing of a recurring campaign that goes out by local time is a campaign of its own.
  parent_id bigint REFERENCES campaigns,
  run text,
  error_message text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  UNIQUE (parent_id, run)
);
CREATE INDEX campaigns_app ON campaigns (app_id, id DESC);
CREATE INDEX campaigns_images ON campaigns USING gin (image_hashes) WHERE status IN ('scheduled', 'running', 'deciding');
CREATE INDEX campaigns_due ON campaigns (next_step_at) WHERE next_step_at IS NOT NULL;

-- The role makes a delivery once in its campaign, whatever crashed before.
ALTER TABLE deliveries ADD COLUMN campaign_id bigint REFERENCES campaigns;
ALTER TABLE deliveries ADD COLUMN campaign_role text;
ALTER TABLE deliveries ADD COLUMN campaign_part jsonb;
CREATE UNIQUE INDEX deliveries_campaign ON deliveries (campaign_id, campaign_role) WHERE campaign_id IS NOT NULL;

-- Down Migration
DROP INDEX deliveries_campaign;
ALTER TABLE deliveries DROP COLUMN campaign_part;
ALTER TABLE deliveries DROP COLUMN campaign_role;
ALTER TABLE deliveries DROP COLUMN campaign_id;
DROP TABLE campaigns;
