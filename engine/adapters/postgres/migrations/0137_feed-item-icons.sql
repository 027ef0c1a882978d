-- Up Migration

-- The item's own icon, such as its author's face: while a draft names it, its image is kept.
ALTER TABLE feed_items ADD COLUMN icon_hash bytea;
CREATE INDEX feed_items_icons ON feed_items (icon_hash) WHERE status = 'draft' AND icon_hash IS NOT NULL;

-- Down Migration
DROP INDEX feed_items_icons;
ALTER TABLE feed_items DROP COLUMN icon_hash;
