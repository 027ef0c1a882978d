/** Whether a user has a second factor: an authenticator app that is confirmed, or a passkey. @param user an SQL expression of its id. */
export const hasFactorSql = (user: string): string =>
  `(EXISTS (SELECT FROM second_factors WHERE second_factors.user_id = ${user} AND confirmed_at IS NOT NULL)
    OR EXISTS (SELECT FROM passkeys WHERE passkeys.user_id = ${user}))`;
