-- Up Migration

-- Our own address as whoever set the app's pictures knew it: an engine that writes a delivery answers no request to know it by.
ALTER TABLE apps ADD COLUMN image_base text;

-- Where we serve a notification's own icon; null: the app's is shown.
ALTER TABLE deliveries ADD COLUMN icon_url text;
ALTER TABLE welcome_templates ADD COLUMN icon_url text, ADD COLUMN icon_hash bytea;

-- Icons that a delivery shows, in its main text and in its translations: while one is here, its image is kept.
CREATE TABLE delivery_icons (
  hash bytea NOT NULL,
  delivery_id bigint NOT NULL REFERENCES deliveries ON DELETE CASCADE,
  PRIMARY KEY (hash, delivery_id)
);
CREATE INDEX delivery_icons_delivery ON delivery_icons (delivery_id);

-- Down Migration
DROP TABLE delivery_icons;
ALTER TABLE welcome_templates DROP COLUMN icon_hash, DROP COLUMN icon_url;
ALTER TABLE deliveries DROP COLUMN icon_url;
ALTER TABLE apps DROP COLUMN image_base;
