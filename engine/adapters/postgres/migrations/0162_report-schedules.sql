-- Up Migration

-- When a saved report is made by itself, and where it goes. It sees what its token sees.
CREATE TABLE report_schedules (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations,
  saved_id bigint NOT NULL REFERENCES saved_reports ON DELETE CASCADE,
  -- Null: token or user are gone, and so the schedule stops.
  token_id integer REFERENCES report_tokens ON DELETE SET NULL,
  made_by integer REFERENCES users ON DELETE SET NULL,
  -- Null: when the days of the report are final.
  cron text,
  zone text NOT NULL,
  format text NOT NULL,
  destination json NOT NULL,
  -- Of a webhook its signing key, of a bucket the secret of its access key.
  secret_sealed bytea,
  -- Of the next firing, or of the next look at the days.
  next_at timestamptz NOT NULL,
  stopped_at timestamptz,
  stopped_why text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX report_schedules_next ON report_schedules (next_at) WHERE stopped_at IS NULL;
CREATE INDEX report_schedules_organization ON report_schedules (organization_id, id);
CREATE INDEX report_schedules_saved ON report_schedules (saved_id);
CREATE INDEX report_schedules_token ON report_schedules (token_id);
CREATE INDEX report_schedules_made_by ON report_schedules (made_by) WHERE made_by IS NOT NULL;

-- engine/adapters/postgres/report-schedules/runs.ts says who changes its state.
CREATE TABLE report_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  schedule_id bigint NOT NULL REFERENCES report_schedules ON DELETE CASCADE,
  -- The firing or the days that it is for: there is one run of each.
  key text NOT NULL,
  -- The day from which the period counts.
  today date NOT NULL,
  first_day date,
  last_day date,
  state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'reporting', 'delivering', 'done', 'failed')),
  -- Attempts that failed.
  attempts integer NOT NULL DEFAULT 0,
  -- Each claim has a number of its own; only the latest may write.
  epoch integer NOT NULL DEFAULT 0,
  -- Of the next step, or the end of the lease.
  due_at timestamptz NOT NULL DEFAULT now(),
  job_id bigint REFERENCES report_jobs ON DELETE SET NULL,
  -- People who have their e-mail already.
  delivered_to text[] NOT NULL DEFAULT '{}',
  problem text,
  rows bigint,
  bytes bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  ended_at timestamptz,
  UNIQUE (schedule_id, key)
);
CREATE INDEX report_runs_due ON report_runs (due_at) WHERE state NOT IN ('done', 'failed');
CREATE INDEX report_runs_job ON report_runs (job_id) WHERE job_id IS NOT NULL;

-- Down Migration
DROP TABLE report_runs, report_schedules;
