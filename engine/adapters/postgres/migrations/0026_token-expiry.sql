-- Up Migration

-- From then on the token is refused, by the clock of this server. Null: it does not end by itself.
ALTER TABLE api_tokens ADD COLUMN expires_at timestamptz;

-- Down Migration
ALTER TABLE api_tokens DROP COLUMN expires_at;
