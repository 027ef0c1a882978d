-- Up Migration

-- Questions to the reporting API that an organization keeps by a name. They hold no figures: whoever opens one sees
-- what their own token sees.
CREATE TABLE saved_reports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations,
  name text NOT NULL,
  -- A word of engine/contract/relative-days.ts; null: the days are in the request.
  period text,
  -- The body of a report.
  request json NOT NULL,
  -- How a page shows it; the reporting API reads nothing of it.
  view json,
  -- Null: the user is gone.
  made_by integer REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_reports_name ON saved_reports (organization_id, lower(name));
CREATE INDEX saved_reports_made_by ON saved_reports (made_by) WHERE made_by IS NOT NULL;

-- Down Migration
DROP TABLE saved_reports;
