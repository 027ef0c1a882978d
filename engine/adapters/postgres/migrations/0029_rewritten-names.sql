-- Up Migration

-- A rewritten day has the rows that it had, in another form: nobody restated it.
ALTER TABLE ad_loads DROP CONSTRAINT ad_loads_kind_check,
  ADD CONSTRAINT ad_loads_kind_check CHECK (kind IN ('append', 'restate', 'batch', 'rewrite'));
ALTER TABLE ad_restated ADD COLUMN rewritten boolean NOT NULL DEFAULT false;

-- Rewritings of all statistics that came to their end, by name: nothing is left to look for.
CREATE TABLE ad_rewrites (
  name text PRIMARY KEY,
  done_at timestamptz NOT NULL DEFAULT now()
);

-- Whose days a source means where it tells days without an hour: a name of the IANA database.
ALTER TABLE ad_sources ADD COLUMN day_zone text NOT NULL DEFAULT 'UTC';

-- Down Migration
ALTER TABLE ad_sources DROP COLUMN day_zone;
DROP TABLE ad_rewrites;
ALTER TABLE ad_restated DROP COLUMN rewritten;
DELETE FROM ad_loads WHERE kind = 'rewrite' AND state <> 'active';
UPDATE ad_loads SET kind = 'restate' WHERE kind = 'rewrite';
ALTER TABLE ad_loads DROP CONSTRAINT ad_loads_kind_check,
  ADD CONSTRAINT ad_loads_kind_check CHECK (kind IN ('append', 'restate', 'batch'));
