-- Up Migration

-- The API's word that a report is asked on the dashboard, by somebody who is logged in: it is counted against that
-- user, and not against the five a minute of the report token's owner. Good once, for a minute. Only the SHA-256 of its
-- secret is kept. Unlogged: a pass that a crash of Postgres takes away leaves a report that counts as any other.
CREATE UNLOGGED TABLE report_passes (
  secret_hash bytea PRIMARY KEY,
  user_id integer NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX report_passes_user ON report_passes (user_id, made_at);

ALTER TABLE request_hits DROP CONSTRAINT request_hits_via_check,
  ADD CONSTRAINT request_hits_via_check CHECK (via IN ('token', 'session', 'report', 'report-page'));

-- Down Migration
DELETE FROM request_hits WHERE via = 'report-page';
ALTER TABLE request_hits DROP CONSTRAINT request_hits_via_check,
  ADD CONSTRAINT request_hits_via_check CHECK (via IN ('token', 'session', 'report'));
DROP TABLE report_passes;
