-- Up Migration

-- An app is limited by a push service from the moment that a row says so, and normal again with its end.
CREATE FUNCTION queue_standing_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_messages (endpoint_id, app_id, type, subject, data)
  SELECT endpoints.id, NEW.app_id, 'app.standing.changed', 'standing ' || NEW.app_id || ' ' || NEW.service,
    jsonb_build_object('app', apps.identifier, 'push_service', NEW.service,
      'standing', CASE WHEN NEW.ended_at IS NULL THEN 'limited' ELSE 'normal' END,
      'limited_since', webhook_time(NEW.limited_since), 'allowed_per_minute', NEW.allowed_per_minute,
      'probable_end_at', webhook_time(NEW.probable_end_at), 'ended_at', webhook_time(NEW.ended_at))
  FROM apps JOIN webhook_endpoints AS endpoints ON endpoints.organization_id = apps.organization_id
  WHERE apps.id = NEW.app_id AND endpoints.enabled AND 'app.standing.changed' = ANY(endpoints.types);
  RETURN NULL;
END $$;
CREATE TRIGGER push_service_standings_begun_webhooks AFTER INSERT ON push_service_standings
  FOR EACH ROW WHEN (NEW.ended_at IS NULL) EXECUTE FUNCTION queue_standing_webhooks();
CREATE TRIGGER push_service_standings_ended_webhooks AFTER UPDATE OF ended_at ON push_service_standings
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION queue_standing_webhooks();

-- Down Migration
DROP TRIGGER push_service_standings_begun_webhooks ON push_service_standings;
DROP TRIGGER push_service_standings_ended_webhooks ON push_service_standings;
DROP FUNCTION queue_standing_webhooks;
