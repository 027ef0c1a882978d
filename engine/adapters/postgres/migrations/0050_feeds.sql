-- Up Migration

ALTER TABLE campaigns DROP CONSTRAINT campaigns_kind_check;
ALTER TABLE campaigns ADD CONSTRAINT campaigns_kind_check
  CHECK (kind IN ('ab_test', 'local_time', 'recurring', 'quiet_hours', 'feed'));
CREATE INDEX campaigns_feeds_due ON campaigns (next_step_at) WHERE kind = 'feed' AND next_step_at IS NOT NULL;

-- What a feed has had, by what its items are known by: none of it is sent again. As long as the feed has it, and then
-- until many newer ones came.
CREATE TABLE feed_keys (
  campaign_id bigint NOT NULL REFERENCES campaigns,
  app_id integer NOT NULL REFERENCES apps,
  key text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (campaign_id, key)
);
CREATE INDEX feed_keys_app ON feed_keys (app_id);

-- Notifications made of a feed's items, the newest of each feed. One that was sent has its delivery under its role.
CREATE TABLE feed_items (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  campaign_id bigint NOT NULL REFERENCES campaigns,
  app_id integer NOT NULL REFERENCES apps,
  role text NOT NULL,
  status text NOT NULL CHECK (status IN ('draft', 'sent', 'dismissed')),
  -- More than one: a summary.
  items integer NOT NULL DEFAULT 1,
  content jsonb NOT NULL,
  -- Of a draft, so that its image stays.
  image_hash bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  UNIQUE (campaign_id, role)
);
CREATE INDEX feed_items_app ON feed_items (app_id);
CREATE INDEX feed_items_newest ON feed_items (campaign_id, id DESC);
CREATE INDEX feed_items_images ON feed_items (image_hash) WHERE status = 'draft';

-- Down Migration
DROP TABLE feed_items, feed_keys;
DROP INDEX campaigns_feeds_due;
ALTER TABLE campaigns DROP CONSTRAINT campaigns_kind_check;
ALTER TABLE campaigns ADD CONSTRAINT campaigns_kind_check
  CHECK (kind IN ('ab_test', 'local_time', 'recurring', 'quiet_hours')) NOT VALID;
