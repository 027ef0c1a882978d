-- Up Migration

-- The delivery whose readers this one serves with another text: those whose push service accepted it. No reference: a
-- deleted app's deliveries go in batches.
ALTER TABLE deliveries ADD COLUMN corrects_delivery_id bigint;
CREATE INDEX deliveries_by_corrected ON deliveries (corrects_delivery_id) WHERE corrects_delivery_id IS NOT NULL;

-- Down Migration
DROP INDEX deliveries_by_corrected;
ALTER TABLE deliveries DROP COLUMN corrects_delivery_id;
