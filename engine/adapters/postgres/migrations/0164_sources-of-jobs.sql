-- Up Migration

-- What a part of a result has: rows, or where their figures come from.
ALTER TABLE report_job_parts ADD COLUMN kind text NOT NULL DEFAULT 'rows' CHECK (kind IN ('rows', 'sources'));

-- Down Migration
ALTER TABLE report_job_parts DROP COLUMN kind;
