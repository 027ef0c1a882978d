import { useEffect, useEffectEvent } from 'react';
import type { ReportDraft } from './report.ts';
import type { SavedReport } from './saved-report.ts';
import { savedDraftOf } from './saved-view.ts';

interface Opened {
  readonly id: number | undefined;
  /** Whether the address has a report of its own. */
  readonly isShown: boolean;
  /** Undefined until they are known. */
  readonly saved: readonly SavedReport[] | undefined;
  readonly onOpen: (draft: ReportDraft, id: number, isEmpty: false, replace: true) => void;
}

/** An address that names a saved report alone: it is made as it is kept now. */
export function useOpened({ id, isShown, saved, onOpen }: Opened): void {
  const one = isShown ? undefined : saved?.find((each) => each.id === id);
  const open = useEffectEvent(() => {
    const draft = one === undefined ? null : savedDraftOf(one);
    if (one !== undefined && draft !== null) onOpen(draft, one.id, false, true);
  });
  const isFound = one !== undefined;
  useEffect(() => {
    if (isFound) open();
  }, [isFound]);
}
