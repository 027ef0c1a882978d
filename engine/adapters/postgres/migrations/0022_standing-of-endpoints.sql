-- Up Migration

-- Endpoints that accepted a notification before, 1,024 to a row: bit `seq % 1,024`. They are who is believed about a
-- push service; the others are on probation beside them. A block's end sets the bit; a strike, or another
-- endpoint in the subscription's row, takes it away.
CREATE TABLE accepted_endpoints (
  app_id integer NOT NULL,
  block integer NOT NULL,
  seqs bytea NOT NULL CHECK (octet_length(seqs) = 128),
  PRIMARY KEY (app_id, block)
);

-- Endpoints that did not take deliveries in a row through their own fault: a row each, written by the end of a block
-- alone. `endpoint` is a hash: strikes against another one do not count.
CREATE TABLE failing_endpoints (
  app_id integer NOT NULL,
  seq integer NOT NULL,
  endpoint bigint NOT NULL,
  -- The last one that it failed: a delivery counts once, however often it tries.
  delivery_id bigint NOT NULL,
  times integer NOT NULL,
  last_at timestamptz NOT NULL,
  reason text NOT NULL,
  -- When its subscription was unsubscribed for it; null: it was not.
  retired_at timestamptz,
  PRIMARY KEY (app_id, seq)
);
CREATE INDEX failing_endpoints_last ON failing_endpoints (last_at);

-- New subscriptions of an app by the address that they came from, as a hash, within an hour.
CREATE TABLE new_subscriptions (
  app_id integer NOT NULL,
  address bytea NOT NULL,
  since timestamptz NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (app_id, address)
);
CREATE INDEX new_subscriptions_since ON new_subscriptions (since);

-- A block's map with some bits set, then some cleared.
CREATE FUNCTION changed_seqs(seqs bytea, added bytea, dropped integer[]) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  place integer;
BEGIN
  IF added IS NOT NULL THEN
    FOR place IN 0..127 LOOP
      seqs := set_byte(seqs, place, get_byte(seqs, place) | get_byte(added, place));
    END LOOP;
  END IF;
  FOREACH place IN ARRAY dropped LOOP
    seqs := set_bit(seqs, place & 1023, 0);
  END LOOP;
  RETURN seqs;
END $$;

-- Who moves to another endpoint has to show anew that it is one.
CREATE FUNCTION forget_accepted_endpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accepted_endpoints SET seqs = set_bit(seqs, NEW.seq & 1023, 0)
  WHERE app_id = NEW.app_id AND block = NEW.seq >> 10 AND get_bit(seqs, NEW.seq & 1023) = 1;
  RETURN NULL;
END $$;
CREATE TRIGGER subscriptions_moved AFTER UPDATE OF endpoint ON subscriptions
  FOR EACH ROW WHEN (OLD.endpoint IS DISTINCT FROM NEW.endpoint) EXECUTE FUNCTION forget_accepted_endpoint();

-- Who is known to have accepted something before this migration.
INSERT INTO accepted_endpoints (app_id, block, seqs)
  SELECT app_id, block, (
    SELECT string_agg(set_byte('\x00'::bytea, 0, bits), ''::bytea ORDER BY byte) FROM (
      SELECT (place - 1) / 8 AS byte, sum(CASE WHEN count > 0 THEN 1 << ((place - 1) % 8)::integer ELSE 0 END)::integer AS bits
      FROM unnest(sent) WITH ORDINALITY AS each (count, place) GROUP BY 1
    ) AS bytes
  )
  FROM block_counts;

-- Down Migration
DROP TRIGGER subscriptions_moved ON subscriptions;
DROP FUNCTION forget_accepted_endpoint, changed_seqs;
DROP TABLE new_subscriptions, failing_endpoints, accepted_endpoints;
