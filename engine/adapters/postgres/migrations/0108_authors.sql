-- Up Migration

-- Users who made or changed it: none of them is the second person who approves it, also where nobody was asked for one
-- when they wrote it. What processes of the release before write has none.
ALTER TABLE deliveries ADD COLUMN authors integer[] NOT NULL DEFAULT '{}';
ALTER TABLE campaigns ADD COLUMN authors integer[] NOT NULL DEFAULT '{}';
UPDATE campaigns SET authors = written.users FROM (
  SELECT subject_id, array_agg(DISTINCT user_id) AS users FROM audit_log
  WHERE action IN ('campaign.created', 'campaign.updated') AND user_id IS NOT NULL GROUP BY subject_id
) AS written
WHERE written.subject_id = campaigns.id::text AND status IN ('scheduled', 'running', 'deciding');

-- The rules of its segment when it was approved: it goes to whom its approver saw. Null: those that the segment has when
-- it starts. A campaign has them in its settings: those that are approved already keep those of now.
ALTER TABLE deliveries ADD COLUMN approved_rules jsonb;
UPDATE campaigns SET settings = jsonb_set(settings, '{options,approvedRules}', rules) FROM segments, approvals
WHERE segments.id = segment_id AND approvals.campaign_id = campaigns.id AND approvals.state = 'approved'
  AND status IN ('scheduled', 'running', 'deciding');

-- Who made it. Null: not known.
ALTER TABLE drafts ADD COLUMN author_id integer;
UPDATE drafts SET author_id = users.id FROM users WHERE users.email = changed_by;

-- Down Migration
UPDATE campaigns SET settings = settings #- '{options,approvedRules}' WHERE settings #> '{options,approvedRules}' IS NOT NULL;
ALTER TABLE drafts DROP COLUMN author_id;
ALTER TABLE deliveries DROP COLUMN approved_rules;
ALTER TABLE campaigns DROP COLUMN authors;
ALTER TABLE deliveries DROP COLUMN authors;
