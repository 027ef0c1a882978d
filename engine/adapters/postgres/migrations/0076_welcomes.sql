-- Up Migration

-- What new subscribers of an app get, once each.
CREATE TABLE welcome_templates (
  app_id integer PRIMARY KEY REFERENCES apps,
  enabled boolean NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  url text NOT NULL,
  -- Where we serve the image, by its hash.
  image_url text,
  image_hash bytea,
  delay_minutes integer NOT NULL CHECK (delay_minutes BETWEEN 0 AND 1440),
  -- The next batch comes no sooner.
  next_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Who waits for one: written with the subscription, deleted with the delivery that serves it.
CREATE TABLE welcomes (
  app_id integer NOT NULL REFERENCES apps,
  seq integer NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (app_id, seq)
);
CREATE INDEX welcomes_due ON welcomes (app_id, due_at);
CREATE INDEX deliveries_welcomes ON deliveries (app_id, id DESC) INCLUDE (created_at) WHERE source_type = 'welcome';

-- As before, but for welcomes: a busy site's would be a message every few seconds.
DROP TRIGGER deliveries_created_webhooks ON deliveries;
DROP TRIGGER deliveries_changed_webhooks ON deliveries;
CREATE TRIGGER deliveries_created_webhooks AFTER INSERT ON deliveries
  FOR EACH ROW WHEN (NOT NEW.rehearsal AND NOT NEW.test AND NEW.source_type <> 'welcome')
  EXECUTE FUNCTION queue_delivery_webhooks();
CREATE TRIGGER deliveries_changed_webhooks AFTER UPDATE OF status ON deliveries
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NOT NEW.rehearsal AND NOT NEW.test AND NEW.source_type <> 'welcome')
  EXECUTE FUNCTION queue_delivery_webhooks();

-- Down Migration
DROP TRIGGER deliveries_changed_webhooks ON deliveries;
DROP TRIGGER deliveries_created_webhooks ON deliveries;
CREATE TRIGGER deliveries_created_webhooks AFTER INSERT ON deliveries
  FOR EACH ROW WHEN (NOT NEW.rehearsal AND NOT NEW.test) EXECUTE FUNCTION queue_delivery_webhooks();
CREATE TRIGGER deliveries_changed_webhooks AFTER UPDATE OF status ON deliveries
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NOT NEW.rehearsal AND NOT NEW.test)
  EXECUTE FUNCTION queue_delivery_webhooks();
DROP INDEX deliveries_welcomes;
DROP TABLE welcomes;
DROP TABLE welcome_templates;
