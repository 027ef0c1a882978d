import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { type OrganizationId, toId } from '../../../engine/contract/ids.ts';
import { commandActor, noteChange } from '../../auth/audit.ts';

export interface TokenRevoked {
  readonly name: string;
  readonly email: string;
}

/** @returns null where there is no such token, or it was revoked before. */
export const revokeAnyToken = (database: Database, id: number): Promise<TokenRevoked | null> =>
  database.transaction(async (sql) => {
    const [row] = await sql.query<{ name: string; email: string; organization_id: number }>(
      `UPDATE api_tokens SET revoked_at = now() FROM users
       WHERE api_tokens.id = $1 AND users.id = user_id AND revoked_at IS NULL
       RETURNING api_tokens.name, email, organization_id`,
      [id],
    );
    if (row === undefined) return null;
    const { name, email } = row;
    const actor = commandActor(toId<OrganizationId>(row.organization_id));
    await noteChange(sql, actor, { action: 'token.revoked', subjectId: id, detail: { name } });
    return { name, email };
  });
