-- Up Migration

-- It was planned anew for each row, which took two thirds of its time; and no plan of it may depend on how large
-- the tables were when it was made.
ALTER FUNCTION unlist_deleted_subscription SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION unlist_deleted_subscription SET enable_seqscan = off;

-- Down Migration
ALTER FUNCTION unlist_deleted_subscription RESET ALL;
