-- Up Migration

-- What somebody may do on one app beyond their role in the organization.
CREATE TABLE app_grants (
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  app_id integer NOT NULL,
  role text NOT NULL CHECK (role IN ('reader', 'author', 'approver', 'admin')),
  PRIMARY KEY (user_id, app_id)
);
CREATE INDEX app_grants_app ON app_grants (app_id);

-- Less than a member. Beside `role`, which stays `member`: processes of the release before compare roles by their
-- place in a list, where one that they do not know would stand above all.
ALTER TABLE users ADD COLUMN narrowed text CHECK (narrowed IN ('reader', 'guest'));
ALTER TABLE users ADD CONSTRAINT users_narrowed_member CHECK (narrowed IS NULL OR role = 'member');

-- Of a role below a member's, the release before makes no user: its insert breaks the rule of `users.role`.
ALTER TABLE invitations DROP CONSTRAINT invitations_role_check;
ALTER TABLE invitations ADD CONSTRAINT invitations_role_check
  CHECK (role IN ('super-admin', 'admin', 'member', 'reader', 'guest'));
-- The role by the app's id.
ALTER TABLE invitations ADD COLUMN grants jsonb NOT NULL DEFAULT '{}';

-- Down Migration
ALTER TABLE invitations DROP COLUMN grants;
DELETE FROM invitations WHERE role IN ('reader', 'guest');
ALTER TABLE invitations DROP CONSTRAINT invitations_role_check;
ALTER TABLE invitations ADD CONSTRAINT invitations_role_check CHECK (role IN ('super-admin', 'admin', 'member'));
ALTER TABLE users DROP COLUMN narrowed;
DROP TABLE app_grants;
