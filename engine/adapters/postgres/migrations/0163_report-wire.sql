-- Up Migration

-- Reports that are read through the Postgres wire are counted apart.
ALTER TABLE request_hits DROP CONSTRAINT request_hits_via_check,
  ADD CONSTRAINT request_hits_via_check
    CHECK (via IN ('token', 'session', 'report', 'report-page', 'report-job', 'report-job-look', 'report-wire'));

-- Down Migration
DELETE FROM request_hits WHERE via = 'report-wire';
ALTER TABLE request_hits DROP CONSTRAINT request_hits_via_check,
  ADD CONSTRAINT request_hits_via_check
    CHECK (via IN ('token', 'session', 'report', 'report-page', 'report-job', 'report-job-look'));
