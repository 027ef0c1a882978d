-- Up Migration

-- Who is asked to write on it, by whom, and what they said. Null: nobody is asked.
ALTER TABLE drafts ADD COLUMN assignee_id integer;
ALTER TABLE drafts ADD COLUMN assigned_by integer;
ALTER TABLE drafts ADD COLUMN comment text NOT NULL DEFAULT '';

-- Down Migration
ALTER TABLE drafts DROP COLUMN comment;
ALTER TABLE drafts DROP COLUMN assigned_by;
ALTER TABLE drafts DROP COLUMN assignee_id;
