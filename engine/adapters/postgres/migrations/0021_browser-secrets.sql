-- Up Migration

-- SHA-256 of the secret that a browser's SDK made: 256 random bits, which need no slow hash. A row that has one is
-- changed by that secret alone; null: its browser follows the document only, or was imported.
ALTER TABLE subscriptions ADD COLUMN secret_hash bytea;
CREATE UNIQUE INDEX subscriptions_secret ON subscriptions (secret_hash, app_id) WHERE secret_hash IS NOT NULL;

-- What a request without a secret may find by its user identity, however many browsers with one share that.
CREATE INDEX subscriptions_user_free ON subscriptions (app_id, user_identity)
  WHERE user_identity IS NOT NULL AND secret_hash IS NULL;

-- As subscriptions_at: one look-up a key, in a plan that may not sort.
CREATE FUNCTION subscriptions_of_secrets(app integer, hashes bytea[]) RETURNS SETOF subscriptions
LANGUAGE plpgsql STABLE SET enable_sort = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY SELECT found.* FROM unnest(hashes) AS given (secret_hash) CROSS JOIN LATERAL (
    SELECT * FROM subscriptions WHERE app_id = app
      AND subscriptions.secret_hash >= given.secret_hash AND subscriptions.secret_hash <= given.secret_hash
    ORDER BY subscriptions.secret_hash LIMIT 1
  ) AS found;
END $$;

CREATE FUNCTION free_subscriptions_of_users(app integer, users text[], most_each integer) RETURNS SETOF subscriptions
LANGUAGE plpgsql STABLE SET enable_sort = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY SELECT found.* FROM unnest(users) AS given (user_identity) CROSS JOIN LATERAL (
    SELECT * FROM subscriptions WHERE app_id = app AND subscriptions.secret_hash IS NULL
      AND subscriptions.user_identity >= given.user_identity AND subscriptions.user_identity <= given.user_identity
    ORDER BY subscriptions.user_identity LIMIT most_each
  ) AS found;
END $$;

-- Down Migration
DROP FUNCTION free_subscriptions_of_users, subscriptions_of_secrets;
DROP INDEX subscriptions_user_free;
ALTER TABLE subscriptions DROP COLUMN secret_hash;
