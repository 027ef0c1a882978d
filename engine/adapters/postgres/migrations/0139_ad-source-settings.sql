-- Up Migration

-- How the files of a source are read, as an operator said once: the options of `broadside ad-stats import` by their
-- names. Beside ad_sources, whose rows say that a source delivered something.
CREATE TABLE ad_source_settings (
  source text PRIMARY KEY,
  settings jsonb NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);

-- Down Migration
DROP TABLE ad_source_settings;
