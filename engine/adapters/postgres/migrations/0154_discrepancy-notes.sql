-- Up Migration

-- Why two ad servers counted differently on a day, as a person of an organization noted it. The pair is stored in the
-- order of its names, so that a note is found whichever comes first. The version rises with each change: who writes over
-- a note that another person changed meanwhile is refused.
CREATE TABLE discrepancy_notes (
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  day date NOT NULL,
  domain text NOT NULL,
  first_source text NOT NULL,
  second_source text NOT NULL CHECK (first_source < second_source COLLATE "C"),
  reason text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  written_by integer REFERENCES users ON DELETE SET NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, first_source, second_source, day, domain)
);
CREATE INDEX discrepancy_notes_author ON discrepancy_notes (written_by);

-- Down Migration
DROP TABLE discrepancy_notes;
