-- Up Migration

-- Made by a user for domains that the operator granted to the organization: such a token sees those of its domains that
-- are granted still, and is none where no one is left. Others are the operator's own choice.
ALTER TABLE report_tokens ADD COLUMN by_grant boolean NOT NULL DEFAULT false
  CHECK (NOT by_grant OR (NOT unrestricted AND cardinality(domains) > 0));

-- Down Migration
DELETE FROM report_tokens WHERE by_grant;
ALTER TABLE report_tokens DROP COLUMN by_grant;
