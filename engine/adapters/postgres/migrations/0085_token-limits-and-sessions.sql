-- Up Migration

-- Null: every app of the user's organization; every address. The id of a deleted app stays: a token for that app
-- alone must not become one for all.
ALTER TABLE api_tokens ADD COLUMN app_ids integer[], ADD COLUMN addresses cidr[];

-- For its user, who lists and ends sessions. Null in those that a process of an earlier release began.
ALTER TABLE sessions ADD COLUMN id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  ADD COLUMN browser text, ADD COLUMN address inet;

-- Down Migration
ALTER TABLE sessions DROP COLUMN address, DROP COLUMN browser, DROP COLUMN id;
ALTER TABLE api_tokens DROP COLUMN addresses, DROP COLUMN app_ids;
