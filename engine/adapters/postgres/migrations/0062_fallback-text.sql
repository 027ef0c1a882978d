-- Up Migration

-- Shown by the SDK's worker where a message cannot be read; null: the site's name alone.
ALTER TABLE apps ADD COLUMN fallback_text text;
