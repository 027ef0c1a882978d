-- Up Migration

-- What a team has begun to write, and what it begins with again and again: values of the page to compose.
CREATE TABLE drafts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id integer NOT NULL REFERENCES apps,
  kind text NOT NULL CHECK (kind IN ('draft', 'template')),
  name text NOT NULL,
  values jsonb NOT NULL,
  -- Raised by every change: whoever saves says which one they have read.
  version integer NOT NULL DEFAULT 1,
  changed_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX drafts_app ON drafts (app_id, kind, updated_at DESC);

-- Down Migration
DROP TABLE drafts;
