import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { Actor } from '../../auth/audit.ts';
import type { StoredApp } from '../apps/store.ts';
import type { DecisionBody } from './schema.ts';
import type { LockedApproval } from './store.ts';

/** Why this person cannot decide this now; null: they can. @param version as it is. */
export function whyNotDecided(
  approval: LockedApproval | null,
  { decision, version: read }: DecisionBody,
  { userId }: Actor,
  { approval: rule }: Pick<StoredApp, 'approval'>,
  version: number,
): FieldErrors | null {
  if (approval === null) return { decision: ['It needs no approval.'] };
  if (approval.state !== 'waiting') return { decision: [`It was ${approval.state} already.`] };
  if (read !== version) return { version: ['Somebody has changed it meanwhile: read it again.'] };
  const isAuthor = userId === null || approval.authors.includes(userId);
  // Since then the app may have stopped asking for a second person.
  if (decision === 'approve' && isAuthor && rule !== 'none')
    return { decision: ['You wrote it, so another person has to approve it.'] };
  return null;
}
