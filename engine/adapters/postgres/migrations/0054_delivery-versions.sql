-- Up Migration

-- What a scheduled delivery said before each of its changes, 1 for what it was created with.
CREATE TABLE delivery_versions (
  delivery_id bigint NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  version integer NOT NULL,
  content jsonb NOT NULL,
  replaced_at timestamptz NOT NULL DEFAULT now(),
  replaced_by text NOT NULL,
  PRIMARY KEY (delivery_id, version)
);
ALTER TABLE deliveries ADD COLUMN changes integer NOT NULL DEFAULT 0;

-- Down Migration
ALTER TABLE deliveries DROP COLUMN changes;
DROP TABLE delivery_versions;
