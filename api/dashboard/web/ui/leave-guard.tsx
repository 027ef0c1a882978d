import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { Confirm } from './confirm.tsx';

/** Asks before somebody leaves the page, not a tab of it, with changes that are not saved. */
export function LeaveGuard({ dirty }: { dirty: boolean }): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: dirty,
    withResolver: true,
  });
  return (
    <Confirm
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t.leave.title}
      act={t.leave.act}
      onConfirm={() => blocker.proceed?.()}
    >
      {t.leave.text}
    </Confirm>
  );
}
