import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId } from '../../engine/contract/ids.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import type { Caller } from './caller.ts';

export type Owner =
  | { readonly kind: 'owner'; readonly organizationId: OrganizationId }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/** The app's owner: the caller's organization, or the one a super-admin names. */
export async function ownerOf(
  sql: Sql,
  caller: Caller,
  body: { readonly organization_id?: number | null | undefined },
): Promise<Owner> {
  const { organization_id: asked } = body;
  if (asked === undefined || asked === null) return { kind: 'owner', organizationId: caller.organizationId };
  // Before any lookup: the answer must not reveal whether an organization exists.
  if (caller.role !== 'super-admin') return refuse('may be given by super-admins only');
  if (!(await organizationExists(sql, asked))) return refuse('must refer to an existing organization');
  return { kind: 'owner', organizationId: toId(asked) };
}

async function organizationExists(sql: Sql, id: number): Promise<boolean> {
  return (await sql.query(`SELECT 1 FROM organizations WHERE id = $1`, [id])).length === 1;
}

const refuse = (words: string): Owner => ({
  kind: 'refused',
  errors: { organization_id: [`The organization_id field ${words}.`] },
});
