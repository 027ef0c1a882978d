-- Up Migration

-- When a browser first subscribed over the public API: the sign that the site's snippet works, which an imported list
-- is not. Only browsers of the SDK have a secret, and an app that has any is found at once.
ALTER TABLE apps ADD COLUMN first_browser_at timestamptz;
UPDATE apps SET first_browser_at = (
  SELECT created_at FROM subscriptions WHERE app_id = apps.id AND secret_hash IS NOT NULL LIMIT 1
);

-- Down Migration
ALTER TABLE apps DROP COLUMN first_browser_at;
