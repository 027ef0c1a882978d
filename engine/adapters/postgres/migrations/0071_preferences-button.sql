-- Up Migration

-- Whether notifications with room for one more button have one that leads to the reader's preferences.
ALTER TABLE apps ADD COLUMN preferences_button boolean NOT NULL DEFAULT false;

-- Down Migration
ALTER TABLE apps DROP COLUMN preferences_button;
