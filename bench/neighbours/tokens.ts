import { createToken } from '../../api/auth/token-store.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { toId } from '../../engine/contract/ids.ts';
import { formatToken } from '../../engine/kit/http/token.ts';

/** One for each of this many new users of the organization, who may read everything. */
export async function newTokens(
  database: Database,
  organizationId: number,
  users: number,
): Promise<string[]> {
  const rows = await database.query<{ id: number }>(
    `INSERT INTO users (organization_id, email, name, role)
     SELECT $1::integer, 'reader-' || n || '@organization-' || $1::integer || '.example', 'Reader', 'member'
     FROM generate_series(1, $2::integer) AS n RETURNING id`,
    [organizationId, users],
  );
  const abilities = ['subscriptions:read', 'deliveries:read', 'analytics:read', 'apps:read'] as const;
  return Promise.all(
    rows.map(async ({ id }) =>
      formatToken(await createToken(database, { userId: toId(id), name: 'bench', abilities })),
    ),
  );
}
