import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { AppRole } from '../../auth/app-roles.ts';
import type { Actor } from '../../auth/audit.ts';
import { readWritten, type Subject } from './store.ts';

/**
 * Why an author cannot change or cancel this; null: they can, or are more than an author. Every write of an author asks
 * here, under the lock of the row: what another person wrote and what somebody approved is not theirs to hold back.
 */
export async function whyNotByAuthor(
  sql: Sql,
  { role, actor: { userId } }: { readonly role: AppRole; readonly actor: Pick<Actor, 'userId'> },
  subject: Subject,
  verb: 'changes' | 'cancels',
): Promise<FieldErrors | null> {
  if (role !== 'author') return null;
  const { authors, isOpen } = await readWritten(sql, subject);
  if (userId !== null && isOpen && authors.includes(userId)) return null;
  return { status: [`An author ${verb} only what they wrote and nobody has approved: ask an approver.`] };
}
