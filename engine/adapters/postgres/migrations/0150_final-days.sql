-- Up Migration

-- The days of a load on the calendar of its source (null: from before, days in UTC), and who imported it.
ALTER TABLE ad_loads ADD COLUMN own_days date[], ADD COLUMN made_by text;
ALTER TABLE ad_load_files ADD COLUMN name text;

-- How certain a day of a source is, on its own calendar: a row for each day that a load had rows of or replaced, and for
-- each of which something was said. reporting/ingest/ad-days.ts changes it.
CREATE TABLE ad_days (
  source text NOT NULL,
  day date NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'complete', 'final')),
  -- Null: nobody said anything.
  said_by text CHECK (said_by IN ('import', 'person', 'rule')),
  said_load bigint,
  said_user integer REFERENCES users ON DELETE SET NULL,
  -- Of the command line: the account of the machine.
  said_as text,
  said_at timestamptz,
  PRIMARY KEY (source, day)
);
CREATE INDEX ad_days_day ON ad_days (day);

INSERT INTO ad_days (source, day)
SELECT DISTINCT source, unnest(days) FROM ad_loads WHERE state = 'active';

-- Days in a row that became final, as an event: written in the transaction that made them so, under the lock of the ledger,
-- so that ids are seen in their order. A reader claims those after its number, in a transaction of its own.
CREATE TABLE ad_final_days (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  said_by text NOT NULL,
  said_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE ad_final_readers (
  reader text PRIMARY KEY,
  after_id bigint NOT NULL DEFAULT 0
);
INSERT INTO ad_final_readers (reader) VALUES ('webhooks'), ('schedules');

-- Down Migration
DROP TABLE ad_final_readers, ad_final_days, ad_days;
ALTER TABLE ad_load_files DROP COLUMN name;
ALTER TABLE ad_loads DROP COLUMN own_days, DROP COLUMN made_by;
