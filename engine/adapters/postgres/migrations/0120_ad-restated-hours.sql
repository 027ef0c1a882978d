-- Up Migration

-- The hours of a restated day, where its source has its days in another timezone than UTC: whole days are on the
-- calendar, hours between two moments. Null: hours of the UTC day.
ALTER TABLE ad_restated ADD COLUMN from_at timestamptz, ADD COLUMN until_at timestamptz;

-- Down Migration
ALTER TABLE ad_restated DROP COLUMN from_at, DROP COLUMN until_at;
