-- Up Migration

CREATE TABLE organizations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations,
  email text NOT NULL,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('super-admin', 'admin', 'member')),
  -- argon2id in PHC form; null until the user has chosen a password.
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

-- The raw token is `<id>|<secret>`; only the SHA-256 of the secret (256 random bits) is kept.
CREATE TABLE api_tokens (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  abilities text[] NOT NULL,
  secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_tokens_user ON api_tokens (user_id);

CREATE TABLE apps (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations,
  identifier text NOT NULL UNIQUE,
  name text NOT NULL,
  site_domain text NOT NULL,
  frequency_cap_max_notifications integer,
  frequency_cap_window_minutes integer,
  default_ttl_seconds integer NOT NULL DEFAULT 86400,
  default_require_interaction boolean NOT NULL DEFAULT false,
  default_silent boolean NOT NULL DEFAULT false,
  default_vibrate_pattern integer[] NOT NULL DEFAULT '{}',
  auto_delete_unsubscribed_enabled boolean NOT NULL DEFAULT false,
  auto_delete_unsubscribed_days integer,
  default_query_params jsonb NOT NULL DEFAULT '[]',
  vapid_public_key text NOT NULL,
  -- AES-256-GCM under the master key: nonce (12) | tag (16) | ciphertext, with the app's identifier as
  -- associated data, so that a row copied to another app does not open.
  vapid_private_key_sealed bytea NOT NULL,
  -- The next `seq` to give. Taken by an UPDATE, so a rolled back transaction gives it again.
  next_seq integer NOT NULL DEFAULT 0,
  subscriber_count integer NOT NULL DEFAULT 0,
  active_subscriber_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX apps_organization ON apps (organization_id, id);

CREATE SEQUENCE subscription_ids AS bigint;

-- Partitioned by app: a block read touches one partition and one range of its primary key.
CREATE TABLE subscriptions (
  app_id integer NOT NULL,
  seq integer NOT NULL,
  id bigint NOT NULL DEFAULT nextval('subscription_ids'),
  endpoint text NOT NULL,
  p256dh bytea NOT NULL,
  auth bytea NOT NULL,
  status text NOT NULL DEFAULT 'subscribed' CHECK (status IN ('subscribed', 'unsubscribed')),
  user_identity text,
  device_type text,
  browser_name text,
  browser_version text,
  os_name text,
  os_version text,
  country text,
  tags jsonb NOT NULL DEFAULT '{}',
  external_ids jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  last_clicked_at timestamptz,
  unsubscribed_at timestamptz,
  PRIMARY KEY (app_id, seq)
) PARTITION BY HASH (app_id);

DO $$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format(
      'CREATE TABLE subscriptions_%s PARTITION OF subscriptions FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
      lpad(part::text, 2, '0'), part);
  END LOOP;
END $$;

CREATE UNIQUE INDEX subscriptions_id ON subscriptions (app_id, id);
-- A hash of the endpoint: 16 bytes instead of some 200, and the same uniqueness.
CREATE UNIQUE INDEX subscriptions_endpoint ON subscriptions (app_id, decode(md5(endpoint), 'hex'));
CREATE INDEX subscriptions_user ON subscriptions (app_id, user_identity) WHERE user_identity IS NOT NULL;

-- Down Migration
DROP TABLE subscriptions, apps, api_tokens, users, organizations;
DROP SEQUENCE subscription_ids;
