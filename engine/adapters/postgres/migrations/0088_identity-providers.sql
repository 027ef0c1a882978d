-- Up Migration

-- The OpenID provider of an organization. That of the whole installation is in the settings, and has no row.
CREATE TABLE identity_providers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL UNIQUE REFERENCES organizations ON DELETE CASCADE,
  -- Of the address of its log-in: too long to guess, so that no list of words finds organizations.
  key text NOT NULL UNIQUE,
  name text NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret_sealed bytea NOT NULL,
  enabled boolean NOT NULL,
  makes_users boolean NOT NULL,
  groups_claim text NOT NULL,
  -- Both empty: groups say nothing about roles.
  admin_groups text[] NOT NULL,
  member_groups text[] NOT NULL
);

-- The people of a domain are sent to its provider, and it may make users of the domain: so super-admins alone name them.
CREATE TABLE identity_provider_domains (
  domain text PRIMARY KEY,
  provider_id integer NOT NULL REFERENCES identity_providers ON DELETE CASCADE
);
CREATE INDEX identity_provider_domains_provider ON identity_provider_domains (provider_id);

-- Which person of a provider is which user.
CREATE TABLE provider_identities (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Null: the installation's.
  provider_id integer REFERENCES identity_providers ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (provider_id, issuer, subject),
  -- An address that a provider gave to somebody else does not open the account of its former owner.
  UNIQUE NULLS NOT DISTINCT (user_id, provider_id, issuer)
);

-- Log-ins that went to a provider and have not come back. State, nonce and verifier come of the cookie's secret.
CREATE TABLE provider_log_ins (
  secret_hash bytea PRIMARY KEY,
  provider_id integer REFERENCES identity_providers ON DELETE CASCADE,
  issuer text NOT NULL,
  back text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX provider_log_ins_expires ON provider_log_ins (expires_at);

-- A session that a provider began ends with it. Sealed: what the log-out at the provider takes.
ALTER TABLE sessions ADD COLUMN provider_id integer REFERENCES identity_providers ON DELETE CASCADE,
  ADD COLUMN provider_sealed bytea;
CREATE INDEX sessions_provider ON sessions (provider_id) WHERE provider_id IS NOT NULL;

-- Null: a provider let the person in, and no password was checked.
ALTER TABLE half_log_ins ALTER COLUMN password_hash DROP NOT NULL,
  ADD COLUMN provider_id integer REFERENCES identity_providers ON DELETE CASCADE,
  ADD COLUMN provider_sealed bytea;

-- Down Migration
DELETE FROM half_log_ins WHERE password_hash IS NULL;
ALTER TABLE half_log_ins DROP COLUMN provider_sealed, DROP COLUMN provider_id, ALTER COLUMN password_hash SET NOT NULL;
ALTER TABLE sessions DROP COLUMN provider_sealed, DROP COLUMN provider_id;
DROP TABLE provider_log_ins;
DROP TABLE provider_identities;
DROP TABLE identity_provider_domains;
DROP TABLE identity_providers;
