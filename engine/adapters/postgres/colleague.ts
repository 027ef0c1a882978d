/**
 * SQL: of the person whom a column names by id, `name` or `email`, as long as they are of the organization; null where
 * they have left it, or its app went to another one. What was written down as an address at the time, such as an entry of
 * the audit log, is history and stays.
 * @param person a column, with its table.
 * @param organization SQL of the organization's id, with its table.
 */
export const ofColleague = (what: 'name' | 'email', person: string, organization: string): string =>
  `(SELECT users.${what} FROM users WHERE users.id = ${person} AND users.organization_id = ${organization})`;
