-- Up Migration

-- Who of an organization may send breaking deliveries, and how many a day. Nothing set: everybody, as many as they
-- like, within what the operator allows each organization.
ALTER TABLE organizations
  ADD COLUMN breaking_role text NOT NULL DEFAULT 'member' CHECK (breaking_role IN ('member', 'admin')),
  ADD COLUMN breaking_per_day integer CHECK (breaking_per_day >= 0);

-- The breaking deliveries that count on a day (UTC): that of their scheduled time, else of their creation. One that
-- was cancelled before it started leaves. Of the organization that sent it, whoever the app belongs to later.
CREATE TABLE breaking_uses (
  delivery_id bigint PRIMARY KEY REFERENCES deliveries ON DELETE CASCADE,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  day date NOT NULL
);
CREATE INDEX breaking_uses_of_day ON breaking_uses (organization_id, day);
INSERT INTO breaking_uses (delivery_id, organization_id, day)
  SELECT deliveries.id, organization_id, (coalesce(scheduled_at, deliveries.created_at) AT TIME ZONE 'UTC')::date
  FROM deliveries JOIN apps ON apps.id = app_id
  WHERE lane = 'breaking' AND coalesce(scheduled_at, deliveries.created_at) >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    AND (status <> 'cancelled' OR started_at IS NOT NULL);

-- Down Migration
DROP TABLE breaking_uses;
ALTER TABLE organizations DROP COLUMN breaking_role, DROP COLUMN breaking_per_day;
