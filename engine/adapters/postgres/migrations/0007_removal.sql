-- Up Migration

-- Deleted subscriptions whose rows in ClickHouse still name them: written in the transaction of the deletion,
-- taken out once the rows are anonymous. `seq` is never given again, so a row here can name nobody else.
CREATE TABLE forgotten_subscriptions (
  app_id integer NOT NULL,
  seq integer NOT NULL,
  -- In UTC.
  day date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date,
  -- Twice: soon, and once more when nothing of before the deletion can be on its way to ClickHouse any more.
  due_at timestamptz NOT NULL DEFAULT now(),
  last_pass boolean NOT NULL DEFAULT false,
  PRIMARY KEY (app_id, seq)
);
CREATE INDEX forgotten_subscriptions_due ON forgotten_subscriptions (due_at);
CREATE INDEX forgotten_subscriptions_day ON forgotten_subscriptions (day);

-- Under its day's key a forgotten subscription has the same new number in both passes, so that it counts once.
-- When the day's last row goes, so does the key: from then on nobody can tell which number was whose.
CREATE TABLE forgetting_keys (
  day date PRIMARY KEY,
  key bytea NOT NULL CHECK (octet_length(key) = 16)
);

-- Apps that are gone from Postgres, written in the transaction that took the last of them: their rows in
-- ClickHouse are deleted, twice like the above.
CREATE TABLE removed_apps (
  app_id integer PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),
  last_pass boolean NOT NULL DEFAULT false
);

-- Jobs of which one engine at a time takes a turn, and when the next turn is.
CREATE TABLE removal_turns (
  job text PRIMARY KEY,
  next_at timestamptz NOT NULL
);

CREATE INDEX apps_deleted ON apps (deleted_at) WHERE deleted_at IS NOT NULL;
-- Who is due for the automatic deletion.
CREATE INDEX subscriptions_unsubscribed ON subscriptions (app_id, unsubscribed_at) WHERE status = 'unsubscribed';

-- Down Migration
DROP INDEX subscriptions_unsubscribed, apps_deleted;
DROP TABLE removal_turns, removed_apps, forgetting_keys, forgotten_subscriptions;
