import { readReport, textOf } from './address.ts';
import { bodyOf, type ReportDraft } from './report.ts';
import { draftOf, type SavedReport } from './saved-report.ts';

/** What the reporting API does not keep of a report, because only this page shows it so. */
const viewOf = ({ columns, metric, sortBy, sortColumn, direction, compare }: ReportDraft) => ({
  ...{ columns, metric, sortBy, sortColumn, direction, compare },
});

/** What a report is saved with: the way down to it has become filters. */
export const savingOf = (draft: ReportDraft): { readonly draft: ReportDraft; readonly view: object } => ({
  // As a pair of days it would stay behind, where the period moves: the page works it out from its view.
  draft: draft.compare === 'same_weekdays' ? { ...draft, compare: '' } : draft,
  view: viewOf(draft),
});

/** Null where this page cannot show it. */
export function savedDraftOf(saved: SavedReport): ReportDraft | null {
  const draft = draftOf(saved);
  return draft === null ? null : readReport({ ...draft, ...saved.view });
}

/** Whether a report is still the one that was saved. */
export function isSavedAs(saved: SavedReport, shown: ReportDraft): boolean {
  const draft = savedDraftOf(saved);
  return draft !== null && keptOf(draft) === keptOf(shown);
}

/** Texts of what a saved report keeps: its days only where they do not move. */
const keptOf = (draft: ReportDraft): string => {
  const { selectedDate, ...body } = bodyOf({ ...draft, compare: '' });
  return textOf([body, viewOf(draft), draft.period === '' ? selectedDate : draft.period]);
};
