-- Up Migration

-- Of the reader, as their browser states it: BCP 47, canonical. Null: not known.
ALTER TABLE subscriptions ADD COLUMN language text;

-- The language of the main text, the texts in other languages as they were given, and all of it as it is sent:
-- engine/contract/wording.ts has the shapes. Null, as of most deliveries: everyone gets `plaintext`.
ALTER TABLE deliveries ADD COLUMN language text;
ALTER TABLE deliveries ADD COLUMN translations jsonb;
ALTER TABLE deliveries ADD COLUMN wording jsonb;

-- Down Migration
ALTER TABLE deliveries DROP COLUMN wording;
ALTER TABLE deliveries DROP COLUMN translations;
ALTER TABLE deliveries DROP COLUMN language;
ALTER TABLE subscriptions DROP COLUMN language;
