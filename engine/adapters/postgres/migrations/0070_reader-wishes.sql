-- Up Migration

-- What readers asked for in the preference centre: `engine/contract/reader-wishes.ts`. Sparse, and apart from
-- subscriptions: hardly anybody has a row, and a block reads its own in one range of the key. No reference to the
-- subscription: a trigger on its deletion takes these along, one statement for all that are deleted together.
CREATE TABLE reader_wishes (
  app_id integer NOT NULL REFERENCES apps,
  seq integer NOT NULL,
  -- A cap of the reader's own.
  max_notifications integer CHECK (max_notifications > 0),
  window_minutes integer CHECK (window_minutes > 0),
  paused_until timestamptz,
  -- `22:00` and `07:00`, by the reader's clock.
  quiet_from text,
  quiet_to text,
  -- When the reader unsubscribed here, where no SDK could end the browser's own subscription.
  left_at timestamptz,
  -- Raised by every change, also of the categories: an SDK that knows an earlier one takes the reader's choice over.
  revision integer NOT NULL DEFAULT 1,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (app_id, seq),
  CHECK ((max_notifications IS NULL) = (window_minutes IS NULL)),
  CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
);

CREATE FUNCTION drop_reader_wishes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM reader_wishes USING gone WHERE reader_wishes.app_id = gone.app_id AND reader_wishes.seq = gone.seq;
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_no_wishes AFTER DELETE ON subscriptions
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION drop_reader_wishes();

-- True from the first wish on: without it, no block looks for any.
ALTER TABLE apps ADD COLUMN has_wishes boolean NOT NULL DEFAULT false;

-- Whom a wish alone held back, of those in `capped`; null: nobody. And their numbers.
ALTER TABLE blocks ADD COLUMN wished bytea CHECK (octet_length(wished) = 128);
ALTER TABLE shards ADD COLUMN wished_count integer NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN wished_subscribers integer NOT NULL DEFAULT 0;

-- Down Migration
ALTER TABLE deliveries DROP COLUMN wished_subscribers;
ALTER TABLE shards DROP COLUMN wished_count;
ALTER TABLE blocks DROP COLUMN wished;
ALTER TABLE apps DROP COLUMN has_wishes;
DROP TRIGGER subscriptions_no_wishes ON subscriptions;
DROP FUNCTION drop_reader_wishes;
DROP TABLE reader_wishes;
