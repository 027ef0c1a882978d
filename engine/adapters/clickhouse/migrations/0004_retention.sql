-- Single attempts and events go after as many days as the operator says (retention.ts sets the TTL, so that no
-- migration drops what somebody meant to keep); the roll-ups stay for good. No part is rewritten for its oldest
-- rows alone: dropping a month costs nothing, rewriting it for each day that ends thirty times its size.
ALTER TABLE outcomes MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE events MODIFY SETTING ttl_only_drop_parts = 1;
