-- Up Migration

-- Whom the client API names: by an order that only the right index has, like the look-ups by endpoint and user. After
-- most rows of an app were deleted, its primary key was walked for an id.
CREATE FUNCTION seq_of_subscription(app integer, given bigint) RETURNS integer
LANGUAGE plpgsql STABLE SET enable_sort = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN (SELECT seq FROM subscriptions WHERE app_id = app AND id >= given AND id <= given AND id > 0
    ORDER BY id LIMIT 1);
END $$;

-- Down Migration
DROP FUNCTION seq_of_subscription;
