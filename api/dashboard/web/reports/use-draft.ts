import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { hasUnknown, readReport, textOf } from './address.ts';
import { dimensions, type FilterDraft, isMetric, newReport, type ReportDraft } from './report.ts';

/** Until somebody pauses: a request for each letter would be a storm. */
const PAUSE_MS = 600;

/**
 * The report that is edited, and the one that is shown, which the address holds: a link to it shows the same, and the
 * browser's back button goes back. Once a report is shown, changes of the form are shown after a pause.
 */
export function useDraft() {
  const { report: given, saved: savedId } = useSearch({ from: '/in/reports' });
  const navigate = useNavigate({ from: '/reports' });
  const shown = useMemo(() => readReport(given), [given]);
  const [draft, setDraft] = useState(() => shown ?? newReport());
  const kept = useRef(shown === null ? '' : textOf(shown));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const text = shown === null ? '' : textOf(shown);
    if (shown === null || text === kept.current) return;
    // Somebody went back, or followed a link: what is edited gives way.
    clearTimeout(timer.current);
    kept.current = text;
    setDraft(shown);
  }, [shown]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const put = (next: ReportDraft, replace: boolean, saved: number | undefined): void => {
    clearTimeout(timer.current);
    const report = { ...next, dimensions: dimensions.filter((each) => next.dimensions.includes(each)) };
    kept.current = textOf(report);
    void navigate({ search: searchOf(report, saved), replace, resetScroll: false });
  };
  const clear = (saved: number | undefined): void => {
    clearTimeout(timer.current);
    kept.current = '';
    void navigate({ search: searchOf(null, saved), resetScroll: false });
  };
  return {
    draft,
    shown,
    savedId,
    isPartly: hasUnknown(given, shown),
    /** An edit: nothing is shown before the first report, or while a filter lacks its value. */
    edit: (next: ReportDraft): void => {
      setDraft(next);
      clearTimeout(timer.current);
      if (shown !== null && isComplete(next))
        timer.current = setTimeout(() => put(next, true, savedId), PAUSE_MS);
    },
    /**
     * Shows another report, which the back button leaves again.
     * @param saved the saved one that it is; null: none is; absent: as before.
     * @param isEmpty whether it is only a form to begin with.
     */
    go: (next: ReportDraft, saved?: number | null, isEmpty = false, replace = false): void => {
      setDraft(next);
      const id = saved === undefined ? savedId : (saved ?? undefined);
      if (isEmpty) clear(id);
      else put(next, replace, id);
    },
    /** Another sight of the one that is shown: what is edited beside it stays. */
    look: (changes: Partial<ReportDraft>): void => {
      setDraft((before) => ({ ...before, ...changes }));
      if (shown !== null) put({ ...shown, ...changes }, true, savedId);
    },
  };
}

const searchOf = (report: ReportDraft | null, saved: number | undefined) => ({
  ...(saved === undefined ? {} : { saved }),
  ...(report === null ? {} : { report }),
});

function isComplete({ dimensions: by, metrics, groups, period, from, to }: ReportDraft): boolean {
  const hasDays = period !== '' || (from !== '' && from <= to);
  return (
    by.length > 0 && metrics.length > 0 && hasDays && groups.every(({ filters }) => filters.every(isWhole))
  );
}

function isWhole({ value, selectedValues, selectedValue, comparison, secondValue }: FilterDraft): boolean {
  if (!isMetric(value)) return selectedValues.length > 0;
  return selectedValue !== '' && (comparison !== 'between' || secondValue !== '');
}
