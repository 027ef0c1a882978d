-- Up Migration

-- Reports that are made in the background. A job belongs to the token that it was made with and to the user who made
-- it: it goes with either. engine/adapters/postgres/report-jobs says who changes its state.
CREATE TABLE report_jobs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_id integer NOT NULL REFERENCES report_tokens ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The body of the request, with its days as they were then.
  request json NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- Each run has a number of its own; only the latest may write.
  epoch integer NOT NULL DEFAULT 0,
  -- Runs that broke off.
  broken integer NOT NULL DEFAULT 0,
  lease_until timestamptz,
  -- The rows that the token saw when the run began.
  scope jsonb,
  rows bigint NOT NULL DEFAULT 0,
  -- Of what ClickHouse has to read, in this run.
  read_share real,
  -- JSON, digit by digit.
  meta text,
  left_out json NOT NULL DEFAULT '[]',
  old_rates json NOT NULL DEFAULT '[]',
  -- Why it failed.
  problem json
);
CREATE INDEX report_jobs_user ON report_jobs (user_id, id);
CREATE INDEX report_jobs_token ON report_jobs (token_id, id);
CREATE INDEX report_jobs_open ON report_jobs (id) WHERE state IN ('queued', 'running');

-- Every object in the store of results, named before it is written. No foreign key: the rows outlive their job until the
-- objects are gone.
CREATE TABLE report_job_parts (
  job_id bigint NOT NULL,
  epoch integer NOT NULL,
  part integer NOT NULL,
  user_id integer NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job_id, epoch, part)
);
CREATE INDEX report_job_parts_user ON report_job_parts (user_id);

-- Jobs, and questions about jobs, are counted apart.
ALTER TABLE request_hits DROP CONSTRAINT request_hits_via_check,
  ADD CONSTRAINT request_hits_via_check
    CHECK (via IN ('token', 'session', 'report', 'report-page', 'report-job', 'report-job-look'));

-- Down Migration
DELETE FROM request_hits WHERE via IN ('report-job', 'report-job-look');
ALTER TABLE request_hits DROP CONSTRAINT request_hits_via_check,
  ADD CONSTRAINT request_hits_via_check CHECK (via IN ('token', 'session', 'report', 'report-page'));
DROP TABLE report_job_parts;
DROP TABLE report_jobs;
