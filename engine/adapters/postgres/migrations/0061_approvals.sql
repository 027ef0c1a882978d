-- Up Migration

-- Whether what goes to readers waits for a second person.
ALTER TABLE apps ADD COLUMN approval text NOT NULL DEFAULT 'none' CHECK (approval IN ('none', 'all', 'all_but_breaking'));

-- One for a delivery or a campaign that was asked for; nothing starts it before somebody approves it: the delivery is
-- pending without a row in the outbox, the campaign has no next step.
CREATE TABLE approvals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id integer NOT NULL REFERENCES apps,
  delivery_id bigint UNIQUE REFERENCES deliveries (id) ON DELETE CASCADE,
  campaign_id bigint UNIQUE REFERENCES campaigns (id) ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
  -- Users who wrote it: none of them approves it.
  authors integer[] NOT NULL,
  -- How it starts then, as it was asked for.
  during_quiet_hours text,
  first_step_at timestamptz,
  asked_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  decided_by text,
  note text,
  CHECK (num_nonnulls(delivery_id, campaign_id) = 1)
);
CREATE INDEX approvals_waiting ON approvals (app_id) WHERE state = 'waiting';

-- Down Migration
DROP TABLE approvals;
ALTER TABLE apps DROP COLUMN approval;
