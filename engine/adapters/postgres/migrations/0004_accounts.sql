-- Up Migration

-- Every change, with who made it and when: written in the transaction of the change. Rows outlive what they
-- tell of, so they refer to it by number and name, not by foreign key.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations,
  -- Null: the operator's command line, or the service itself.
  user_id integer,
  -- As it was then: the user may be gone or renamed when somebody reads this.
  user_email text,
  -- The API token used; null for a session.
  token_id integer,
  via text NOT NULL CHECK (via IN ('token', 'session', 'command', 'service')),
  -- `<subject>.<verb>`: api/auth/audit.ts has the list.
  action text NOT NULL,
  subject_id text NOT NULL,
  app_id integer,
  -- What a reader needs beside the subject, few and short; never a secret.
  detail jsonb NOT NULL DEFAULT '{}',
  request_id text,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_log_organization ON audit_log (organization_id, id DESC);

-- A browser that is logged in. Its cookie holds 256 random bits; only their SHA-256 is kept.
CREATE TABLE sessions (
  secret_hash bytea PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Exact to a minute.
  last_used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user ON sessions (user_id, created_at);

-- A link that lets somebody in once: a new user, or one who needs a (new) password. The link holds
-- `<id>.<secret>`; only the SHA-256 of the secret is kept.
CREATE TABLE invitations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations,
  -- Set: for this user, who gets a new password. Null: a user is made.
  user_id integer REFERENCES users ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('super-admin', 'admin', 'member')),
  secret_hash bytea NOT NULL,
  -- Null: the operator's command line. When this user goes, what they invited to goes with them.
  invited_by integer REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX invitations_organization ON invitations (organization_id, id);
CREATE INDEX invitations_invited_by ON invitations (invited_by) WHERE invited_by IS NOT NULL;
CREATE INDEX invitations_user ON invitations (user_id) WHERE user_id IS NOT NULL;

-- When a user's requests of the last minute were let in, oldest first. Unlogged: after a crash of Postgres
-- everybody starts with a whole allowance, and no request waits for a flush.
CREATE UNLOGGED TABLE request_hits (
  user_id integer NOT NULL,
  via text NOT NULL CHECK (via IN ('token', 'session')),
  hits timestamptz[] NOT NULL,
  PRIMARY KEY (user_id, via)
);
-- One row a user, rewritten at each request: room in the page keeps that off the index, and compressing a
-- long list anew each time costs more than its bytes.
ALTER TABLE request_hits SET (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
ALTER TABLE request_hits ALTER COLUMN hits SET STORAGE EXTERNAL;

-- The rate limit, exact over all API processes: no 60 seconds ever see more than `most` requests of a user let
-- in, and a refused one leaves nothing behind. A function, because its plans are kept: the same as one
-- statement costs four times as much, nearly all of it planning.
CREATE FUNCTION take_hit(
  caller integer, caller_via text, most integer,
  OUT allowed boolean, OUT remaining integer, OUT wait_seconds double precision
) LANGUAGE plpgsql AS $$
DECLARE
  past timestamptz[];
  clock timestamptz;
BEGIN
  -- Requests of one user queue here, so each reads the clock after the one before it.
  SELECT hits INTO past FROM request_hits WHERE user_id = caller AND via = caller_via FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO request_hits VALUES (caller, caller_via, '{}') ON CONFLICT DO NOTHING;
    SELECT hits INTO past FROM request_hits WHERE user_id = caller AND via = caller_via FOR UPDATE;
  END IF;
  clock := clock_timestamp();
  -- A clock that was set back would keep everybody out until it caught up again.
  IF past[cardinality(past)] > clock + interval '60 seconds' THEN past := '{}'; END IF;
  clock := greatest(clock, past[cardinality(past)]);
  -- A binary search: how many of the sorted times are outside the window.
  past := past[width_bucket(clock - interval '60 seconds', past) + 1 :];
  allowed := cardinality(past) < most;
  IF allowed THEN
    past := past || clock;
    UPDATE request_hits SET hits = past WHERE user_id = caller AND via = caller_via;
  END IF;
  remaining := greatest(most - cardinality(past), 0);
  -- Until the oldest that stands in the way leaves the window; null where none does.
  wait_seconds := 60 - extract(epoch FROM clock - past[cardinality(past) - most + 1]);
END $$;

-- Down Migration
DROP FUNCTION take_hit;
DROP TABLE request_hits, invitations, sessions, audit_log;
