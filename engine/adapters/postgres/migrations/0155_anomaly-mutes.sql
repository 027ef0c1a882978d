-- Up Migration

-- Series of ad statistics whose unusual days an organization does not want to see, up to and with a day.
CREATE TABLE anomaly_mutes (
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  domain text NOT NULL,
  product text NOT NULL,
  country text NOT NULL,
  until date NOT NULL,
  reason text NOT NULL DEFAULT '',
  muted_by integer REFERENCES users ON DELETE SET NULL,
  muted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, domain, product, country)
);
CREATE INDEX anomaly_mutes_author ON anomaly_mutes (muted_by);

-- Down Migration
DROP TABLE anomaly_mutes;
