-- Up Migration

-- When the user showed that they read the mailbox of their address: by a link in a letter, or by a provider that may
-- vouch for the address. Null: somebody else may have accepted an invitation to it, and its owner may reclaim it.
ALTER TABLE users ADD COLUMN address_confirmed_at timestamptz;

-- Accounts of before are not known to be confirmed. Those that a reclaim would rob of a second factor, those of
-- super-admins and those that the installation's provider opens count as confirmed.
UPDATE users SET address_confirmed_at = now() WHERE role = 'super-admin'
  OR EXISTS (SELECT FROM second_factors WHERE user_id = users.id)
  OR EXISTS (SELECT FROM passkeys WHERE user_id = users.id)
  OR EXISTS (SELECT FROM provider_identities WHERE user_id = users.id AND provider_id IS NULL);

-- Whether nobody but the reader of the mailbox saw the link.
ALTER TABLE invitations ADD COLUMN mailed boolean NOT NULL DEFAULT false;

-- Down Migration
ALTER TABLE invitations DROP COLUMN mailed;
ALTER TABLE users DROP COLUMN address_confirmed_at;
