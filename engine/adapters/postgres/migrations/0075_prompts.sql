-- Up Migration

-- How an app's site asks its readers: `api/client/prompts/schema.ts` has the shape of the settings. A round begins when
-- the variants change: what was counted of others says nothing of these.
CREATE TABLE prompts (
  app_id integer PRIMARY KEY REFERENCES apps,
  round integer NOT NULL DEFAULT 1,
  settings jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- At most two rows a day and app. All but `subscribed` are what browsers say.
CREATE TABLE prompt_counts (
  app_id integer NOT NULL REFERENCES apps,
  round integer NOT NULL,
  variant text NOT NULL CHECK (variant IN ('a', 'b')),
  day date NOT NULL,
  shown bigint NOT NULL DEFAULT 0,
  accepted bigint NOT NULL DEFAULT 0,
  granted bigint NOT NULL DEFAULT 0,
  dismissed bigint NOT NULL DEFAULT 0,
  subscribed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (app_id, round, variant, day)
);

-- The prompt that its reader said yes to, as `round.variant`. Null: another one, or none.
ALTER TABLE subscriptions ADD COLUMN prompt_variant text;

-- Down Migration
ALTER TABLE subscriptions DROP COLUMN prompt_variant;
DROP TABLE prompt_counts;
DROP TABLE prompts;
