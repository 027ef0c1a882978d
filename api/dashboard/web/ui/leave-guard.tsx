import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { Confirm } from './confirm.tsx';

/** Asks before one leaves with changes that are not saved. */
export function LeaveGuard({ dirty }: { dirty: boolean }): ReactNode {
  const blocker = useBlocker({ shouldBlockFn: () => dirty, enableBeforeUnload: dirty, withResolver: true });
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
