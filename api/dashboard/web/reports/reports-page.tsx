import { Alert, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useHasRole } from '../data/account/use-me.ts';
import { wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { reportDomainsQuery } from '../data/organization/queries.ts';
import { t } from '../texts/t.ts';
import { Lines } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { readReport } from './address.ts';
import { Builder } from './builder.tsx';
import { GrantedForm } from './granted-form.tsx';
import { JobsSection } from './jobs-section.tsx';
import { type Dimension, type Format, type Metric, newReport, type ReportDraft } from './report.ts';
import { isWhole, sorted } from './result.ts';
import { ResultSection } from './result-section.tsx';
import { ReportProblem } from './send-report.ts';
import { reportToken } from './token.ts';
import { TokenForm } from './token-form.tsx';
import { useReports } from './use-reports.ts';

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
  const { report } = useSearch({ from: '/in/reports' });
  const navigate = useNavigate({ from: '/reports' });
  const [draft, setDraft] = useState(() => readReport(report) ?? newReport());
  const [busy, setBusy] = useState<Format | null>(null);
  const { made, make, save, wait, show, send, ask } = useReports(token);
  const onError = (error: Error): void => {
    if (error instanceof ReportProblem && error.why === 'token') onRefused();
  };
  const keep = (next: ReportDraft): void => {
    setDraft(next);
    void navigate({ search: { report: next }, replace: true, resetScroll: false });
  };
  const run = (next: ReportDraft): void => {
    save.reset();
    make.mutate(next, { onError });
    keep(next);
  };
  const sort = (sortBy: Dimension | Metric, direction: 'asc' | 'desc'): void => {
    if (made === null) return;
    if (!isWhole(made)) {
      run({ ...made.draft, sortBy, direction });
      return;
    }
    show(sorted(made, sortBy, direction));
    keep({ ...draft, sortBy, direction });
  };
  const error = make.error ?? save.error;
  const errors = make.error instanceof ReportProblem ? make.error.fields : {};
  const isSaid = error instanceof ReportProblem && (error.why === 'wait' || error.why === 'token');
  return (
    <>
      <Builder
        draft={draft}
        errors={errors}
        wait={wait}
        busy={make.isPending}
        values={{ draft, token, send }}
        onChange={setDraft}
        onRun={run}
      />
      {error !== null && !isSaid && (
        <Alert color="red" role="alert" title={t.problems.title}>
          {wordsOf(error)}
        </Alert>
      )}
      {made !== null && (
        <ResultSection
          report={made}
          busy={busy}
          canDownload={wait === 0}
          onSort={sort}
          onDownload={(format) => {
            setBusy(format);
            save.mutate({ draft: made.draft, format }, { onError, onSettled: () => setBusy(null) });
          }}
        />
      )}
      <JobsSection draft={draft} token={token} ask={ask} onError={onError} />
    </>
  );
}
