-- Up Migration

-- Somebody who reads the mailbox of an e-mail channel says by a link that alerts may come: before that, nobody sends a
-- test to it. The link holds `<channel>.<secret>`; only the SHA-256 of the secret is kept.
ALTER TABLE alert_channels ADD COLUMN confirm_hash bytea, ADD COLUMN confirm_asked_at timestamptz,
  ADD COLUMN confirmed_at timestamptz;

-- Down Migration
ALTER TABLE alert_channels DROP COLUMN confirm_hash, DROP COLUMN confirm_asked_at, DROP COLUMN confirmed_at;
