import { Alert, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useHasRole } from '../data/account/use-me.ts';
import { wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { reportDomainsQuery } from '../data/organization/queries.ts';
import { t } from '../texts/t.ts';
import { Lines } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { textOf } from './address.ts';
import { Builder } from './builder.tsx';
import { canDrill, drilled, type Pressed } from './drill.ts';
import { GrantedForm } from './granted-form.tsx';
import { JobsSection } from './jobs-section.tsx';
import { type Format, newReport, pivotIn, type ReportDraft } from './report.ts';
import { isWhole, type MadeReport, sorted } from './result.ts';
import { ResultSection } from './result-section.tsx';
import { SavedTabs } from './saved-tabs.tsx';
import { ReportProblem } from './send-report.ts';
import { reportToken } from './token.ts';
import { TokenForm } from './token-form.tsx';
import { useDraft } from './use-draft.ts';
import { useMade } from './use-made.ts';
import { useOpened } from './use-opened.ts';
import { useReports } from './use-reports.ts';
import { useSaved } from './use-saved.ts';

const words = t.reports;

export function ReportsPage(): ReactNode {
  const [token, setToken] = useState(reportToken.read);
  const [isRefused, setRefused] = useState(false);
  const isAdmin = useHasRole('admin');
  const { isLoading } = useQuery({ ...reportDomainsQuery(useApi()), enabled: isAdmin && token === null });
  const take = (given: string): void => {
    reportToken.write(given);
    setToken(given);
  };
  const forget = (refused: boolean): void => {
    reportToken.forget();
    setToken(null);
    setRefused(refused);
  };
  return (
    <Page
      title={t.nav.reports}
      description={words.description}
      actions={
        token !== null && (
          <Button variant="default" onClick={() => forget(false)}>
            {words.tokenForget}
          </Button>
        )
      }
    >
      {token === null && isLoading ? (
        <Lines />
      ) : token === null ? (
        <Stack gap="lg">
          {isAdmin && <GrantedForm onToken={take} />}
          <TokenForm isRefused={isRefused} onToken={take} />
        </Stack>
      ) : (
        <Reports token={token} onRefused={() => forget(true)} />
      )}
    </Page>
  );
}

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
          onDownload={(format) => {
            setBusy(format);
            save.mutate({ draft: report.draft, format }, { onError, onSettled: () => setBusy(null) });
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
