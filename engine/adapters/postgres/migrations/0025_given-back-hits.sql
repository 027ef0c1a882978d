-- Up Migration

-- As before, and says beside it when the hit was counted: that names it, should it be given back.
DROP FUNCTION take_hit;
CREATE FUNCTION take_hit(
  caller integer, caller_via text, most integer,
  OUT allowed boolean, OUT remaining integer, OUT wait_seconds double precision, OUT hit_at timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  past timestamptz[];
  clock timestamptz;
BEGIN
  -- Requests of one user queue here, so each reads the clock after the one before it.
  SELECT hits INTO past FROM request_hits WHERE user_id = caller AND via = caller_via FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO request_hits VALUES (caller, caller_via, '{}') ON CONFLICT DO NOTHING;
    SELECT hits INTO past FROM request_hits WHERE user_id = caller AND via = caller_via FOR UPDATE;
  END IF;
  clock := clock_timestamp();
  -- A clock that was set back would keep everybody out until it caught up again.
  IF past[cardinality(past)] > clock + interval '60 seconds' THEN past := '{}'; END IF;
  -- Later than every hit before it, by the clock's smallest step where it stood still: the time names one hit.
  clock := greatest(clock, past[cardinality(past)] + interval '1 microsecond');
  -- A binary search: how many of the sorted times are outside the window.
  past := past[width_bucket(clock - interval '60 seconds', past) + 1 :];
  allowed := cardinality(past) < most;
  IF allowed THEN
    past := past || clock;
    hit_at := clock;
    UPDATE request_hits SET hits = past WHERE user_id = caller AND via = caller_via;
  END IF;
  remaining := greatest(most - cardinality(past), 0);
  -- Until the oldest that stands in the way leaves the window; null where none does.
  wait_seconds := 60 - extract(epoch FROM clock - past[cardinality(past) - most + 1]);
END $$;

-- Takes a hit out of the count again, of a request that was refused without any work. The second time it has no
-- effect. What it answers is what the limit says then.
CREATE FUNCTION give_back_hit(
  caller integer, caller_via text, most integer, given timestamptz,
  OUT remaining integer, OUT wait_seconds double precision
) LANGUAGE plpgsql AS $$
DECLARE
  past timestamptz[];
BEGIN
  UPDATE request_hits SET hits = array_remove(hits, given) WHERE user_id = caller AND via = caller_via
    RETURNING hits INTO past;
  past := coalesce(past[width_bucket(clock_timestamp() - interval '60 seconds', past) + 1 :], '{}');
  remaining := greatest(most - cardinality(past), 0);
  wait_seconds := 60 - extract(epoch FROM clock_timestamp() - past[cardinality(past) - most + 1]);
END $$;

-- Down Migration
DROP FUNCTION give_back_hit;
DROP FUNCTION take_hit;
CREATE FUNCTION take_hit(
  caller integer, caller_via text, most integer,
  OUT allowed boolean, OUT remaining integer, OUT wait_seconds double precision
) LANGUAGE plpgsql AS $$
DECLARE
  past timestamptz[];
  clock timestamptz;
BEGIN
  SELECT hits INTO past FROM request_hits WHERE user_id = caller AND via = caller_via FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO request_hits VALUES (caller, caller_via, '{}') ON CONFLICT DO NOTHING;
    SELECT hits INTO past FROM request_hits WHERE user_id = caller AND via = caller_via FOR UPDATE;
  END IF;
  clock := clock_timestamp();
  IF past[cardinality(past)] > clock + interval '60 seconds' THEN past := '{}'; END IF;
  clock := greatest(clock, past[cardinality(past)]);
  past := past[width_bucket(clock - interval '60 seconds', past) + 1 :];
  allowed := cardinality(past) < most;
  IF allowed THEN
    past := past || clock;
    UPDATE request_hits SET hits = past WHERE user_id = caller AND via = caller_via;
  END IF;
  remaining := greatest(most - cardinality(past), 0);
  wait_seconds := 60 - extract(epoch FROM clock - past[cardinality(past) - most + 1]);
END $$;
