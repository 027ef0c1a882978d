import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { download } from '../charts/csv.ts';
import { useMe } from '../data/account/use-me.ts';
import { useServices } from '../data/http/services.tsx';
import { bodyOf, daysIn, type Format, type ReportDraft } from './report.ts';
import { type ReportQuestion, sendReport } from './send-report.ts';

/** Questions with a token: of the page, and of files. */
export function useReports(token: string) {
  const ask = useAsk(token);
  const send = (body: object): Promise<Response> => ask({ method: 'POST', path: '/generate', body });
  const save = useMutation({
    mutationFn: async ({ draft, format }: { draft: ReportDraft; format: Format }): Promise<void> => {
      const answer = await send({ ...bodyOf(draft), format });
      const { from, to } = daysIn(draft);
      download(`report-${from}-${to}.${format}`, await answer.blob());
    },
  });
  return { save, send, ask };
}

function useAsk(token: string) {
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
    sendReport({ baseUrl, csrfToken, onLoggedOut }, token, question);
}
