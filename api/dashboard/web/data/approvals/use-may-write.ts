import { useMay } from '../account/for-role.tsx';
import { useMe } from '../account/use-me.ts';
import type { Approval } from './queries.ts';

/** An approver changes and cancels what has not ended, an author what they wrote and nobody has approved. */
export function useMayWrite(approval: Approval | null): boolean {
  const [isApprover, isAuthor] = [useMay('approver'), useMay('author')];
  const { email } = useMe().user;
  if (isApprover) return true;
  return isAuthor && approval !== null && approval.state !== 'approved' && approval.authors.includes(email);
}
