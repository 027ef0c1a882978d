import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { download } from '../charts/csv.ts';
import { useMe } from '../data/account/use-me.ts';
import { useServices } from '../data/http/services.tsx';
import { bodyOf, daysIn, type Format, includedWith, type ReportDraft } from './report.ts';
import { type ReportQuestion, sendReport } from './send-report.ts';

interface NewFile {
  readonly draft: ReportDraft;
  readonly format: Format;
  readonly hasSources: boolean;
}

/** Questions with a token: of the page, and of files. */
export function useReports(token: string) {
  const ask = useAsk(token);
  const send = (body: object): Promise<Response> => ask({ method: 'POST', path: '/generate', body });
  const save = useMutation({
    mutationFn: async ({ draft, format, hasSources }: NewFile): Promise<void> => {
      const answer = await send({ ...bodyOf(draft), format, ...includedWith(hasSources) });
      const { from, to } = daysIn(draft);
      // Text has its sources in a file beside it.
      const isZip = answer.headers.get('content-type') === 'application/zip';
      download(`report-${from}-${to}.${isZip ? 'zip' : format}`, await answer.blob());
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
