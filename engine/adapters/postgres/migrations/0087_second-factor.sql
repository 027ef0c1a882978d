-- Up Migration

-- A user's codes by time (RFC 6238).
CREATE TABLE second_factors (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret_sealed bytea NOT NULL,
  -- Null until its user has shown a code; nothing asks for codes before.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: a code is good once.
  last_step bigint NOT NULL DEFAULT 0,
  -- SHA-256 of the recovery codes that are left.
  recovery_hashes bytea[] NOT NULL DEFAULT '{}',
  -- Wrong codes since then, over all log-ins.
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz
);

-- The password was right, and a code is missing. No session yet: its cookie opens nothing else.
CREATE TABLE half_log_ins (
  secret_hash bytea PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  -- As it was checked: another password since then ends the log-in.
  password_hash text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX half_log_ins_user ON half_log_ins (user_id);

ALTER TABLE organizations ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false;

-- Down Migration
ALTER TABLE organizations DROP COLUMN second_factor_required;
DROP TABLE half_log_ins;
DROP TABLE second_factors;
