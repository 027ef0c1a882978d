-- Up Migration

-- Letters to people about their accounts, until they are sent or over.
CREATE TABLE letters (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  address text NOT NULL,
  -- Whose person or link is gone gets no letter any more.
  user_id integer REFERENCES users ON DELETE CASCADE,
  invitation_id integer REFERENCES invitations ON DELETE CASCADE,
  detail jsonb NOT NULL DEFAULT '{}',
  -- A link lets somebody in: only the mail holds it in clear.
  link_sealed bytea,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX letters_due ON letters (due_at);
CREATE INDEX letters_user ON letters (user_id);
CREATE INDEX letters_invitation ON letters (invitation_id);

-- A link that lets a user choose a new password, once. It holds `<id>.<secret>`; only the SHA-256 of the secret is kept.
CREATE TABLE password_resets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_resets_user ON password_resets (user_id);

-- By a trigger: processes of an earlier release disable webhooks, too. A person who disables one gives no reason.
CREATE FUNCTION write_webhook_letters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO letters (kind, address, user_id, detail, ends_at)
  SELECT 'webhook-disabled', email, id,
    jsonb_build_object('webhook', NEW.id, 'url', NEW.url, 'reason', NEW.disabled_reason), now() + interval '3 days'
  FROM users WHERE organization_id = NEW.organization_id AND role <> 'member' ORDER BY id LIMIT 50;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_endpoints_disabled AFTER UPDATE OF enabled ON webhook_endpoints
  FOR EACH ROW WHEN (OLD.enabled AND NOT NEW.enabled AND NEW.disabled_reason IS NOT NULL)
  EXECUTE FUNCTION write_webhook_letters();

-- Down Migration
DROP TRIGGER webhook_endpoints_disabled ON webhook_endpoints;
DROP FUNCTION write_webhook_letters;
DROP TABLE password_resets;
DROP TABLE letters;
