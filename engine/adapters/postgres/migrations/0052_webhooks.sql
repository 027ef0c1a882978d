-- Up Migration

-- Where an organization wants to be told of states. The secrets sign what is sent, and are sealed; the one before the
-- last rotation signs as well until its time is over.
CREATE TABLE webhook_endpoints (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  url text NOT NULL,
  description text NOT NULL DEFAULT '',
  -- Which types of messages it gets: engine/contract/webhooks.ts has the list.
  types text[] NOT NULL,
  secret_sealed bytea,
  old_secret_sealed bytea,
  old_secret_until timestamptz,
  enabled boolean NOT NULL DEFAULT true,
  -- Why Broadside turned it off; null where a person did, or nobody.
  disabled_reason text,
  -- Since when every attempt failed, and how many did; nothing is sent before `paused_until`.
  failing_since timestamptz,
  failures integer NOT NULL DEFAULT 0,
  paused_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_endpoints_organization ON webhook_endpoints (organization_id, id);

-- One message to one endpoint: waiting → sent or failed. Written by the triggers below, in the transaction that made it
-- true. Messages of one subject are sent in the order of their ids: whoever changes a delivery holds its row.
CREATE TABLE webhook_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- What receivers know a repeat by; a replay has that of the message it repeats.
  header_id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- No foreign key: a deletion of the endpoint would hold up, or break, the transaction that changes a state.
  endpoint_id bigint NOT NULL,
  -- Null: of the whole organization.
  app_id integer,
  type text NOT NULL,
  subject text NOT NULL,
  data jsonb NOT NULL,
  -- Not the start of the transaction: that of a later change may be earlier.
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  first_attempt_at timestamptz,
  -- Of a waiting one: the next attempt, or the end of the lease of the running one.
  due_at timestamptz DEFAULT now(),
  ended_at timestamptz,
  -- The last attempts and what the receiver answered, a few of them: engine/contract/webhooks.ts has the shape.
  answers jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX webhook_messages_due ON webhook_messages (endpoint_id, due_at, id) WHERE state = 'waiting';
CREATE INDEX webhook_messages_waiting ON webhook_messages (endpoint_id, id) WHERE state = 'waiting';
CREATE INDEX webhook_messages_subject ON webhook_messages (endpoint_id, subject, id);
CREATE INDEX webhook_messages_newest ON webhook_messages (endpoint_id, id DESC);
CREATE INDEX webhook_messages_ended ON webhook_messages (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_messages_app ON webhook_messages (app_id) WHERE app_id IS NOT NULL;

-- How far endpoints were told of what has no moment of its own: readers of an app, and (app 0) the ad statistics.
CREATE TABLE webhook_cursors (
  app_id integer PRIMARY KEY,
  told_until timestamptz NOT NULL
);

CREATE FUNCTION webhook_time(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')
$$;

-- Without an endpoint that wants it, one look into an index and nothing else.
CREATE FUNCTION queue_delivery_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_messages (endpoint_id, app_id, type, subject, data)
  SELECT endpoints.id, NEW.app_id, 'delivery.' || NEW.status, 'delivery ' || NEW.id, jsonb_build_object(
    'app', apps.identifier, 'delivery', NEW.identifier, 'delivery_id', NEW.id, 'name', NEW.name, 'status', NEW.status,
    'previous_status', CASE WHEN TG_OP = 'UPDATE' THEN OLD.status END, 'campaign_id', NEW.campaign_id,
    'total_subscribers', NEW.total_subscribers, 'capped_subscribers', NEW.capped_subscribers,
    'success_count', NEW.success_count, 'failed_count', NEW.failed_count, 'error_message', NEW.error_message,
    'scheduled_at', webhook_time(NEW.scheduled_at), 'started_at', webhook_time(NEW.started_at),
    'completed_at', webhook_time(NEW.completed_at))
  FROM apps JOIN webhook_endpoints AS endpoints ON endpoints.organization_id = apps.organization_id
  WHERE apps.id = NEW.app_id AND endpoints.enabled AND 'delivery.' || NEW.status = ANY(endpoints.types);
  RETURN NULL;
END $$;
CREATE TRIGGER deliveries_created_webhooks AFTER INSERT ON deliveries
  FOR EACH ROW WHEN (NOT NEW.rehearsal) EXECUTE FUNCTION queue_delivery_webhooks();
CREATE TRIGGER deliveries_changed_webhooks AFTER UPDATE OF status ON deliveries
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NOT NEW.rehearsal)
  EXECUTE FUNCTION queue_delivery_webhooks();

CREATE FUNCTION queue_campaign_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_messages (endpoint_id, app_id, type, subject, data)
  SELECT endpoints.id, NEW.app_id, 'campaign.' || NEW.status, 'campaign ' || NEW.id, jsonb_build_object(
    'app', apps.identifier, 'campaign_id', NEW.id, 'parent_id', NEW.parent_id, 'kind', NEW.kind, 'name', NEW.name,
    'status', NEW.status, 'previous_status', CASE WHEN TG_OP = 'UPDATE' THEN OLD.status END,
    'error_message', NEW.error_message)
  FROM apps JOIN webhook_endpoints AS endpoints ON endpoints.organization_id = apps.organization_id
  WHERE apps.id = NEW.app_id AND endpoints.enabled AND 'campaign.' || NEW.status = ANY(endpoints.types);
  RETURN NULL;
END $$;
CREATE TRIGGER campaigns_created_webhooks AFTER INSERT ON campaigns
  FOR EACH ROW WHEN (NEW.settings #> '{options,rehearsal}' IS DISTINCT FROM 'true'::jsonb)
  EXECUTE FUNCTION queue_campaign_webhooks();
CREATE TRIGGER campaigns_changed_webhooks AFTER UPDATE OF status ON campaigns
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status
    AND NEW.settings #> '{options,rehearsal}' IS DISTINCT FROM 'true'::jsonb)
  EXECUTE FUNCTION queue_campaign_webhooks();

-- A feed is broken from its third look in a row that failed (as for alerts), and works with the next one that succeeds. A
-- person's change of a broken feed sets the count back to one, so what was said last decides.
CREATE FUNCTION queue_feed_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  failed_before integer := coalesce((OLD.progress #>> '{feed,failures}')::integer, 0);
  failed integer := coalesce((NEW.progress #>> '{feed,failures}')::integer, 0);
  news text := CASE WHEN failed >= 3 AND failed_before < 3 THEN 'broken'
    WHEN failed = 0 AND failed_before > 0 THEN 'working' END;
BEGIN
  INSERT INTO webhook_messages (endpoint_id, app_id, type, subject, data)
  SELECT endpoints.id, NEW.app_id, 'feed.' || news, 'feed ' || NEW.id, jsonb_build_object(
    'app', apps.identifier, 'campaign_id', NEW.id, 'name', NEW.name, 'state', news, 'failures', failed,
    'error_message', CASE WHEN news = 'broken' THEN NEW.error_message END)
  FROM apps JOIN webhook_endpoints AS endpoints ON endpoints.organization_id = apps.organization_id
    LEFT JOIN LATERAL (
      SELECT type FROM webhook_messages WHERE endpoint_id = endpoints.id AND subject = 'feed ' || NEW.id
      ORDER BY id DESC LIMIT 1) AS said ON true
  WHERE news IS NOT NULL AND apps.id = NEW.app_id AND endpoints.enabled AND 'feed.' || news = ANY(endpoints.types)
    AND CASE news WHEN 'broken' THEN said.type IS DISTINCT FROM 'feed.broken'
      ELSE said.type = 'feed.broken' OR (said.type IS NULL AND failed_before >= 3) END;
  RETURN NULL;
END $$;
CREATE TRIGGER campaigns_feed_webhooks AFTER UPDATE OF progress ON campaigns
  FOR EACH ROW WHEN (NEW.kind = 'feed'
    AND OLD.progress #> '{feed,failures}' IS DISTINCT FROM NEW.progress #> '{feed,failures}')
  EXECUTE FUNCTION queue_feed_webhooks();

-- With its organization, too.
CREATE FUNCTION remove_webhook_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM webhook_messages WHERE endpoint_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_endpoints_removed AFTER DELETE ON webhook_endpoints
  FOR EACH ROW EXECUTE FUNCTION remove_webhook_messages();

-- Down Migration
DROP TRIGGER campaigns_feed_webhooks ON campaigns;
DROP TRIGGER campaigns_changed_webhooks ON campaigns;
DROP TRIGGER campaigns_created_webhooks ON campaigns;
DROP TRIGGER deliveries_changed_webhooks ON deliveries;
DROP TRIGGER deliveries_created_webhooks ON deliveries;
DROP TABLE webhook_cursors, webhook_messages, webhook_endpoints;
DROP FUNCTION remove_webhook_messages, queue_feed_webhooks, queue_campaign_webhooks, queue_delivery_webhooks, webhook_time;
