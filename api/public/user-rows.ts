import { ofUsers } from './look-ups.ts';

/**
 * The rows of user identity `$2` of app `$1`, locked in the order of `seq`. They are found first: the planner
 * might walk through all of the app's subscriptions for a LIMIT in that order. The identity is asked again of
 * what was locked: until then a row may have become another user's.
 */
export const rowsOfUser = (columns: string): string =>
  `SELECT ${columns} FROM subscriptions WHERE app_id = $1 AND user_identity = $2
     AND seq = ANY(ARRAY(SELECT seq FROM ${ofUsers('ARRAY[$2]')})) ORDER BY seq FOR UPDATE`;
