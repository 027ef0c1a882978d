-- Up Migration

-- What an app's notifications show beside their text, where they have none of their own: an address on https, or the path
-- of one of our images, so that another address of the installation needs no change here. Null: browsers draw a letter.
ALTER TABLE apps ADD COLUMN icon_url text, ADD COLUMN badge_url text,
  -- Whether the icon of the site's installed app counts notifications.
  ADD COLUMN app_badge boolean NOT NULL DEFAULT false;

-- Images of an app, as long as it is there: messages on their way and notifications that nobody has closed still name
-- an icon that was replaced.
CREATE TABLE app_images (
  app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
  hash bytea NOT NULL REFERENCES images,
  PRIMARY KEY (app_id, hash)
);
-- Finds what uses an image, and checks the reference when one is removed.
CREATE INDEX app_images_hash ON app_images (hash);

-- Of an icon: the same picture with 192 pixels a side, for phones and desktops that show no more.
ALTER TABLE images ADD COLUMN small bytea;

-- Down Migration
ALTER TABLE images DROP COLUMN small;
DROP TABLE app_images;
ALTER TABLE apps DROP COLUMN icon_url, DROP COLUMN badge_url, DROP COLUMN app_badge;
