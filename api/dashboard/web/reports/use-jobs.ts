import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { download } from '../charts/csv.ts';
import type { OldRate } from '../format/rate-sources.ts';
import { bodyOf, type Format, includedWith, type ReportDraft } from './report.ts';
import type { ReportQuestion } from './send-report.ts';

/** Why there is no result; of a request that is refused, its `message` says that alone. */
export interface JobProblem {
  readonly message: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

/** A report that is made in the background. */
export interface Job {
  readonly id: number;
  readonly state: 'queued' | 'running' | 'done' | 'failed';
  readonly format: Format;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly expires_at: string | null;
  readonly rows: number;
  readonly seconds_left: number | null;
  readonly left_out: readonly { readonly currency: string }[];
  readonly old_rates: readonly OldRate[];
  readonly parts: readonly { readonly part: number; readonly kind: 'rows' | 'sources' }[];
  readonly problem: JobProblem | null;
}

interface NewJob {
  readonly draft: ReportDraft;
  readonly format: Format;
  /** Whether the files say where their figures come from. */
  readonly hasSources: boolean;
}

export type Ask = (question: ReportQuestion) => Promise<Response>;

const LOOK_AGAIN_MS = 3_000;

interface JobsAnswer {
  readonly data: readonly Job[];
  readonly meta: { readonly available: boolean };
}

/** The token's jobs, read again while one waits or runs. Null: the reporting service keeps no results. */
export function useJobs(token: string, ask: Ask, onError: (error: Error) => void) {
  const queries = useQueryClient();
  const queryKey = ['report-jobs', token.split('|')[0]];
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey });
  const jobs = useQuery({
    queryKey,
    retry: false,
    queryFn: async (): Promise<readonly Job[] | null> => {
      const answer = await ask({ method: 'GET', path: '/jobs' });
      const { data, meta } = (await answer.json()) as JobsAnswer;
      return meta.available ? data : null;
    },
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? LOOK_AGAIN_MS : false),
  });
  const make = useMutation({
    mutationFn: ({ draft, format, hasSources }: NewJob) => {
      const body = { ...bodyOf(draft), format, ...includedWith(hasSources) };
      return ask({ method: 'POST', path: '/jobs', body });
    },
    onSettled: refresh,
    onError,
  });
  const save = useMutation({ mutationFn: (job: Job) => saveParts(job, ask), onSettled: refresh, onError });
  const remove = async ({ id }: Job): Promise<void> => {
    await ask({ method: 'DELETE', path: `/jobs/${id}` }).finally(refresh);
  };
  return { jobs, make, save, remove };
}

export const isOpen = ({ state }: Job): boolean => state === 'queued' || state === 'running';

/** One after the other: each is a file of its own. */
async function saveParts({ id, parts, format }: Job, ask: Ask): Promise<void> {
  const isOne = parts.filter(({ kind }) => kind !== 'sources').length === 1;
  for (const { part, kind } of parts) {
    const answer = await ask({ method: 'GET', path: `/jobs/${id}/parts/${part}` });
    const number = isOne || kind === 'sources' ? '' : `-${part + 1}`;
    const side = kind === 'sources' ? '.sources.json' : '';
    download(`report-job-${id}${number}.${format}${side}`, await answer.blob());
  }
}
