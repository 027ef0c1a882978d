-- Up Migration

-- The ledger of ad statistics: which rows of ClickHouse's ad_stats a report may see. A file of an import or a
-- batch of the log is a load; its rows carry its id. engine/adapters/postgres/ad-loads.ts tells the states.
CREATE TABLE ad_loads (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('append', 'restate', 'batch')),
  -- What makes the same thing the same: the SHA-256 of a file, the id of a batch.
  content text NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'active', 'abandoned')),
  -- UTC days of its rows, once it is active.
  days date[] NOT NULL DEFAULT '{}',
  rows bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  complete_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- Of an abandoned one: when its rows were gone from ClickHouse.
  cleaned_at timestamptz
);
CREATE INDEX ad_loads_content ON ad_loads (content, source);
CREATE INDEX ad_loads_hidden ON ad_loads (id)
  WHERE state = 'pending' OR (state = 'abandoned' AND cleaned_at IS NULL);
CREATE INDEX ad_loads_ended ON ad_loads (ended_at);

-- Rows of (source, day) count from this load on: a restatement took the place of those below it.
CREATE TABLE ad_restated (
  source text NOT NULL,
  day date NOT NULL,
  below bigint NOT NULL,
  restated_at timestamptz NOT NULL DEFAULT now(),
  -- When the rows below were gone from ClickHouse; null: a report leaves them out.
  cleaned_at timestamptz,
  PRIMARY KEY (day, source)
);
CREATE INDEX ad_restated_unclean ON ad_restated (day) WHERE cleaned_at IS NULL;

-- Up to when each ad server says that it has told everything.
CREATE TABLE ad_sources (
  source text PRIMARY KEY,
  complete_until timestamptz,
  reported_at timestamptz NOT NULL DEFAULT now()
);

-- Who may ask for reports, and which rows they see: the raw token is `<id>|<secret>`, and only the SHA-256 of
-- the secret (256 random bits) is kept. Neither domains nor wholesalers, and not unrestricted: sees nothing.
CREATE TABLE report_tokens (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  domains text[] NOT NULL DEFAULT '{}',
  wholesalers text[] NOT NULL DEFAULT '{}',
  unrestricted boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  CHECK (NOT unrestricted OR (domains = '{}' AND wholesalers = '{}'))
);
CREATE INDEX report_tokens_user ON report_tokens (user_id);

-- Reports are counted apart from what the same user asks of the API.
ALTER TABLE request_hits DROP CONSTRAINT request_hits_via_check,
  ADD CONSTRAINT request_hits_via_check CHECK (via IN ('token', 'session', 'report'));

-- Down Migration
DELETE FROM request_hits WHERE via = 'report';
ALTER TABLE request_hits DROP CONSTRAINT request_hits_via_check,
  ADD CONSTRAINT request_hits_via_check CHECK (via IN ('token', 'session'));
DROP TABLE report_tokens;
DROP TABLE ad_sources;
DROP TABLE ad_restated;
DROP TABLE ad_loads;
