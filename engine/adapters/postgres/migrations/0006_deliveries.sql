-- Up Migration

-- Pictures of notifications, by the SHA-256 of their bytes: one that is used again is kept once, and its
-- address may be cached for ever.
CREATE TABLE images (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  content_type text NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg')),
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 2097152),
  -- When a delivery last took it: young ones are not removed, though no delivery names them.
  used_at timestamptz NOT NULL DEFAULT now()
);
-- Compressed already: another try costs time and saves nothing.
ALTER TABLE images ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX images_used ON images (used_at);

-- Nothing is sent after `expires_at`. `rate_per_minute` paces the plan; null: as fast as it goes.
ALTER TABLE deliveries
  ADD COLUMN image_hash bytea REFERENCES images,
  ADD COLUMN rate_per_minute integer CHECK (rate_per_minute > 0),
  ADD COLUMN expires_at timestamptz;
-- Finds what uses an image, and checks the reference when one is removed.
CREATE INDEX deliveries_image ON deliveries (image_hash) WHERE image_hash IS NOT NULL;

-- When a paced shard may first run: its TTL counts from there. Null: from the start of the delivery.
ALTER TABLE shards ADD COLUMN starts_at timestamptz;

-- First answers, to be given again: written in the transaction of the delivery that they tell of, so that
-- two requests at once wait for each other here. An app belongs to one organization.
CREATE TABLE idempotency_keys (
  app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
  key text NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255),
  -- SHA-256 of the body in canonical form.
  body_hash bytea NOT NULL,
  -- The body of the answer, byte for byte; empty only inside the transaction that takes the key.
  answer text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (app_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Down Migration
DROP TABLE idempotency_keys;
ALTER TABLE shards DROP COLUMN starts_at;
ALTER TABLE deliveries DROP COLUMN expires_at, DROP COLUMN rate_per_minute, DROP COLUMN image_hash;
DROP TABLE images;
