import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { wordsOf } from '../data/http/problem.ts';
import { t } from '../texts/t.ts';
import { textOf } from './address.ts';
import { Builder } from './builder.tsx';
import { canDrill, drilled, type Pressed } from './drill.ts';
import { JobsSection } from './jobs-section.tsx';
import { type Format, newReport, pivotIn, type ReportDraft } from './report.ts';
import { isWhole, type MadeReport, sorted } from './result.ts';
import { ResultSection } from './result-section.tsx';
import { SavedTabs } from './saved-tabs.tsx';
import { ReportProblem } from './send-report.ts';
import { TokenPage } from './token-page.tsx';
import { useDraft } from './use-draft.ts';
import { useMade } from './use-made.ts';
import { useOpened } from './use-opened.ts';
import { useReports } from './use-reports.ts';
import { useSaved } from './use-saved.ts';

const words = t.reports;

export const ReportsPage = (): ReactNode => (
  <TokenPage
    title={t.nav.reports}
    description={
      <>
        {words.description}{' '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/reports/checks" {...props} />}>
          {words.checks}
        </Anchor>
        {' · '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/reports/scheduled" {...props} />}>
          {words.schedules}
        </Anchor>
      </>
    }
  >
    {(token, onRefused) => <Reports token={token} onRefused={onRefused} />}
  </TokenPage>
);

function Reports({ token, onRefused }: { token: string; onRefused: () => void }): ReactNode {
  const { draft, shown, isPartly, edit, go, look, savedId } = useDraft();
  const [busy, setBusy] = useState<Format | null>(null);
  const { save, send, ask } = useReports(token);
  const { made, isBusy, error: makeError, wait, again } = useMade(token, shown, ask);
  const onError = (error: Error): void => {
    if (error instanceof ReportProblem && error.why === 'token') onRefused();
  };
  const saved = useSaved(token, ask, onError);
  useOpened({ id: savedId, isShown: shown !== null, saved: saved.saved.data, onOpen: go });
  const refused = useEffectEvent(onError);
  useEffect(() => {
    if (makeError !== null) refused(makeError);
  }, [makeError]);
  const run = (next: ReportDraft): void => {
    save.reset();
    if (shown !== null && textOf(next) === textOf(shown)) again();
    else go(next);
  };
  const error = makeError ?? save.error;
  const errors = makeError instanceof ReportProblem ? makeError.fields : {};
  const isSaid = error instanceof ReportProblem && (error.why === 'wait' || error.why === 'token');
  const report = made === null ? null : inOrder(made);
  return (
    <>
      <SavedTabs
        {...saved}
        id={savedId}
        shown={shown}
        onOpen={(one, next) => go(next ?? newReport(), one === null ? null : one.id, next === null)}
      />
      {isPartly && (
        <Alert color="yellow" role="status">
          {words.pivot.partly}
        </Alert>
      )}
      <Builder
        draft={draft}
        errors={errors}
        wait={wait}
        busy={isBusy}
        values={{ draft, token, send }}
        onChange={edit}
        onRun={run}
      />
      {error !== null && !isSaid && (
        <Alert color="red" role="alert" title={t.problems.title}>
          {wordsOf(error)}
        </Alert>
      )}
      {report !== null && shown !== null && (
        <ResultSection
          report={report}
          shown={shown}
          busy={busy}
          isOld={isBusy}
          canDownload={wait === 0}
          onSort={(sortBy, direction) => look({ sortBy, direction })}
          onDrill={drillFrom(report.draft, go)}
          onGo={go}
          onLook={look}
          onDownload={(format, hasSources) => {
            setBusy(format);
            save.mutate(
              { draft: report.draft, format, hasSources },
              { onError, onSettled: () => setBusy(null) },
            );
          }}
        />
      )}
      <JobsSection draft={draft} token={token} ask={ask} onError={onError} />
    </>
  );
}

/** Undefined where there is no further dimension. */
const drillFrom = (draft: ReportDraft, go: (draft: ReportDraft) => void) =>
  canDrill(draft)
    ? (pressed: Pressed): void => {
        const next = drilled(draft, pressed);
        if (next !== null) go(next);
      }
    : undefined;

/** A list whose rows are all here may have been answered in another order: pivots sort themselves. */
function inOrder(made: MadeReport): MadeReport {
  const { sortBy, direction } = made.draft;
  const isHere = [...made.draft.dimensions, ...made.draft.metrics].some((each) => each === sortBy);
  if (sortBy === '' || !isHere || !isWhole(made) || pivotIn(made.draft) !== null) return made;
  return sorted(made, sortBy, direction);
}
