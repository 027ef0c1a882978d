-- Up Migration

-- Where an organization gets its alerts. `address` is what people see; what must not be seen is sealed: the key
-- that signs a webhook, or the whole URL of a Slack webhook, which is a secret itself.
CREATE TABLE alert_channels (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('email', 'webhook', 'slack')),
  address text NOT NULL,
  secret_sealed bytea,
  -- Which kinds of alerts it gets: engine/contract/alerts.ts has the list.
  alert_kinds text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  -- Why Broadside turned it off; null where a person did, or nobody.
  disabled_reason text,
  -- Since when every attempt failed; null after a success.
  failing_since timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX alert_channels_organization ON alert_channels (organization_id, id);

-- What happened, once for each key: that is what makes a second look at the same rows harmless.
CREATE TABLE alerts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Null: of the whole organization.
  app_id integer,
  kind text NOT NULL,
  key text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, kind, key)
);
CREATE INDEX alerts_organization ON alerts (organization_id, id DESC);
CREATE INDEX alerts_app ON alerts (app_id, kind, id DESC) WHERE app_id IS NOT NULL;
CREATE INDEX alerts_age ON alerts (created_at);

-- One alert to one channel: waiting → sent or failed; held → waiting, or summed into another one.
CREATE TABLE alert_sends (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
  channel_id bigint NOT NULL REFERENCES alert_channels ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('waiting', 'held', 'summed', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  -- Of a waiting one: the next attempt, or the end of the lease of the running one.
  due_at timestamptz,
  -- When it was let through: the bound of an hour counts these.
  released_at timestamptz,
  -- How many further alerts of its kind this one stands for.
  more integer NOT NULL DEFAULT 0,
  last_answer text,
  last_at timestamptz,
  UNIQUE (alert_id, channel_id)
);
CREATE INDEX alert_sends_due ON alert_sends (due_at) WHERE state = 'waiting';
CREATE INDEX alert_sends_held ON alert_sends (channel_id) WHERE state = 'held';
CREATE INDEX alert_sends_released ON alert_sends (channel_id, released_at);

-- Failed deliveries of the last day are found without a look at the others.
CREATE INDEX deliveries_failed ON deliveries (completed_at) WHERE status = 'failed';

-- Down Migration
DROP INDEX deliveries_failed;
DROP TABLE alert_sends, alerts, alert_channels;
