-- Up Migration

-- Nothing is complete up to a time to come: such a word was a slip, which the greatest of all words kept for good.
UPDATE ad_sources SET complete_until = NULL WHERE complete_until > now();

-- Down Migration
SELECT 1;
