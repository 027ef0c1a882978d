import type { Sql } from './sql.ts';

/** A name that an older row has in another case: both stay, and the older one is found. */
export interface Namesake {
  readonly what: 'category' | 'user';
  readonly name: string;
  readonly older: string;
  /** The app or the organization. */
  readonly where: string;
}

export const listNamesakes = (sql: Sql, most: number): Promise<Namesake[]> =>
  sql.query<Namesake>(
    `SELECT 'category' AS what, later.name, first.name AS older, apps.identifier AS where
     FROM delivery_categories AS later
       JOIN delivery_categories AS first ON first.app_id = later.app_id AND folded(first.name) = folded(later.name)
         AND first.namesake = 0 AND first.deleted_at IS NULL
       JOIN apps ON apps.id = later.app_id AND apps.deleted_at IS NULL
     WHERE later.namesake > 0 AND later.deleted_at IS NULL
     UNION ALL
     SELECT 'user', later.email, first.email, organizations.name
     FROM users AS later JOIN users AS first ON folded_address(first.email) = folded_address(later.email)
       AND first.namesake = 0
       JOIN organizations ON organizations.id = later.organization_id
     WHERE later.namesake > 0 LIMIT $1`,
    [most],
  );
