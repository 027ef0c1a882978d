/**
 * How a statement finds subscriptions of app `$1`, as tables to read from. The functions are written so that
 * one index alone fits, whatever the planner believes of the app (migration 0020); a plain lookup by endpoint
 * or user would walk the whole app where statistics are missing.
 *
 * The found rows are then selected by `app_id = … AND seq = ANY(array)`, a condition on the table itself:
 * joined by `seq` alone, the planner could walk through the app, too.
 */

/** Without a secret, a browser of one identity has one row; a few more may come from imports. */
const MAX_ROWS_OF_USER = 50;

/** @param endpoints an array of texts. */
export const atEndpoints = (endpoints: string): string => `subscriptions_at($1, ${endpoints})`;

/** Rows without a secret, at most `MAX_ROWS_OF_USER` of each user. @param users an array of user identities. */
export const ofUsers = (users: string): string =>
  `free_subscriptions_of_users($1, ${users}, ${MAX_ROWS_OF_USER})`;

/** @param hashes an array of SHA-256 of secrets. */
export const ofSecrets = (hashes: string, app = '$1'): string =>
  `subscriptions_of_secrets(${app}, ${hashes})`;
