-- Up Migration

-- `recent`, of delivery 0: whose browser showed any delivery of the app in the last 30 days.
ALTER TABLE frozen_reaches DROP CONSTRAINT frozen_reaches_reach_check,
  ADD CONSTRAINT frozen_reaches_reach_check CHECK (reach IN ('accepted', 'displayed', 'clicked', 'recent'));
