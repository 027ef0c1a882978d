-- Up Migration

-- `{"from": "22:00", "to": "07:00", "time_zone": "reader"}`; null: none.
ALTER TABLE apps ADD COLUMN quiet_hours jsonb;

-- Down Migration
ALTER TABLE apps DROP COLUMN quiet_hours;
