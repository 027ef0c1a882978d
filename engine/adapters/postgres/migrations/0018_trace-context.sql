-- Up Migration

-- The span that the delivery's shards belong to: that of the request first, that of its plan later. Null: not traced.
ALTER TABLE deliveries ADD COLUMN traceparent text
  CHECK (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$');

-- Down Migration
ALTER TABLE deliveries DROP COLUMN traceparent;
