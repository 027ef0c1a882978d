-- Up Migration

-- WebAuthn credentials of users: a second factor, or a log-in of their own.
CREATE TABLE passkeys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  credential_id bytea NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- Of its uses, as the authenticator counts them; those of most stay 0.
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  -- Its counter went back: there are two of it, and neither is let in.
  stopped_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- What a browser is to sign now, once. Its owner is the secret of a session, of a half log-in or of a log-in page.
CREATE TABLE passkey_challenges (
  owner_hash bytea NOT NULL,
  purpose text NOT NULL,
  challenge text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (owner_hash, purpose)
);
CREATE INDEX passkey_challenges_expires ON passkey_challenges (expires_at);

-- Null: no authenticator app is set up; the row holds the recovery codes of the user's passkeys.
ALTER TABLE second_factors ALTER COLUMN secret_sealed DROP NOT NULL;

-- Down Migration
DELETE FROM second_factors WHERE secret_sealed IS NULL;
ALTER TABLE second_factors ALTER COLUMN secret_sealed SET NOT NULL;
DROP TABLE passkey_challenges;
DROP TABLE passkeys;
