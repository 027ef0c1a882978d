import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { Actor } from '../../auth/audit.ts';
import type { StoredApp } from '../apps/store.ts';
import type { DecisionBody } from './schema.ts';
import type { LockedApproval } from './store.ts';
import { whyNotByThemselves } from './who-approves.ts';

/** Why this person cannot decide this now; null: they can. @param version as it is. */
export async function whyNotDecided(
  sql: Sql,
  approval: LockedApproval | null,
  { decision, version: read }: DecisionBody,
  { userId, organizationId }: Actor,
  { approval: rule, id }: Pick<StoredApp, 'approval' | 'id'>,
  version: number,
): Promise<FieldErrors | null> {
  if (approval === null) return { decision: ['It needs no approval.'] };
  if (approval.state !== 'waiting') return { decision: [`It was ${approval.state} already.`] };
  if (read !== version) return { version: ['Somebody has changed it meanwhile: read it again.'] };
  const isAuthor = userId === null || approval.authors.includes(userId);
  // Since then the app may have stopped asking for a second person.
  if (decision === 'approve' && isAuthor && rule !== 'none')
    return {
      decision: [
        await whyNotByThemselves(
          sql,
          { organizationId, id },
          'You wrote it, so another person has to approve it',
        ),
      ],
    };
  return null;
}
