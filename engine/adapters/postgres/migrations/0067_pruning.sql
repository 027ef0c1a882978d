-- Up Migration

-- Unsubscribes readers who were never reachable in so many days; null: never.
ALTER TABLE apps ADD COLUMN prune_unreachable_days integer CHECK (prune_unreachable_days BETWEEN 60 AND 400);

-- Equal to `unsubscribed_at`: that was done because the reader was not reachable. Who comes back, and leaves, has another.
ALTER TABLE subscriptions ADD COLUMN pruned_at timestamptz;

-- One look at an app's readers a day (UTC): how far it is, and how many it unsubscribed.
CREATE TABLE subscription_prunings (
  app_id integer NOT NULL REFERENCES apps (id),
  day date NOT NULL,
  next_block integer NOT NULL DEFAULT 0,
  pruned integer NOT NULL DEFAULT 0,
  done boolean NOT NULL DEFAULT false,
  -- The line of the day in the audit log, from the first one on.
  audit_id bigint,
  PRIMARY KEY (app_id, day)
);

-- Down Migration
DROP TABLE subscription_prunings;
ALTER TABLE subscriptions DROP COLUMN pruned_at;
ALTER TABLE apps DROP COLUMN prune_unreachable_days;
