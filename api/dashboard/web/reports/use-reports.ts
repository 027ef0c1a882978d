import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { download } from '../charts/csv.ts';
import { useMe } from '../data/account/use-me.ts';
import { useServices } from '../data/http/services.tsx';
import { bodyOf, daysIn, type Format, type ReportDraft } from './report.ts';
import { type MadeReport, MOST_ROWS, type ReportAnswer } from './result.ts';
import { ReportProblem, type ReportQuestion, sendReport } from './send-report.ts';

/** Makes reports with a token: for the page, and as files. `show` replaces the one that was made. */
export function useReports(token: string | null) {
  const ask = useAsk(token);
  const send = (body: object): Promise<Response> => ask({ method: 'POST', path: '/generate', body });
  const [made, show] = useState<MadeReport | null>(null);
  const make = useMutation({
    mutationFn: async (draft: ReportDraft): Promise<MadeReport> => {
      const answer = await send({ ...bodyOf(draft), totals: true, limit: MOST_ROWS });
      return { draft, answer: (await answer.json()) as ReportAnswer };
    },
    onMutate: () => show(null),
    onSuccess: show,
  });
  const save = useMutation({
    mutationFn: async ({ draft, format }: { draft: ReportDraft; format: Format }): Promise<void> => {
      const answer = await send({ ...bodyOf(draft), format });
      const { from, to } = daysIn(draft);
      download(`report-${from}-${to}.${format}`, await answer.blob());
    },
  });
  const wait = useWait(make.error ?? save.error);
  return { made, make, save, wait, show, send, ask };
}

function useAsk(token: string | null) {
  const { baseUrl } = useServices();
  const { csrf_token: csrfToken } = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const href = useRouterState({ select: ({ location }) => location.href });
  const onLoggedOut = (): void => {
    queries.clear();
    void navigate({ to: '/log-in', search: { back: href, ended: true } });
  };
  return (question: ReportQuestion): Promise<Response> =>
    sendReport({ baseUrl, csrfToken, onLoggedOut }, token ?? '', question);
}

/** Counts down the reporting API's Retry-After. */
function useWait(error: Error | null): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (error instanceof ReportProblem) setSeconds(error.waitSeconds);
  }, [error]);
  useEffect(() => {
    if (seconds <= 0) return;
    const timer = setTimeout(() => setSeconds(seconds - 1), 1_000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return seconds;
}
