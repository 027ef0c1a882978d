import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { textOf } from './address.ts';
import { parseExactly } from './exact.ts';
import { bodyOf, pivotIn, type ReportDraft } from './report.ts';
import { daysBody, earlierBody, lackingDays, movedRows, pivotBody } from './requests.ts';
import { isWhole, type MadeReport, MOST_ROWS, type ReportAnswer } from './result.ts';
import type { Row } from './rows.ts';
import { ReportProblem } from './send-report.ts';
import type { Ask } from './use-jobs.ts';

/** As long as somebody goes back and forth; what is new comes with "Run report". */
const FRESH_MS = 10 * 60_000;
/** After a minute's limit, the same question goes on by itself this often. */
const MOST_WAITS = 3;

/** What never changes the question. */
export const asked = {
  staleTime: FRESH_MS,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: (failures: number, error: Error): boolean =>
    error instanceof ReportProblem && error.why === 'wait' && failures < MOST_WAITS,
  retryDelay: (_failures: number, error: Error): number =>
    error instanceof ReportProblem ? error.waitSeconds * 1_000 : 0,
} as const;

interface Made {
  readonly draft: ReportDraft;
  readonly answer: ReportAnswer;
}

export interface UseMade {
  readonly made: MadeReport | null;
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** Seconds until a question that met the limit goes on. */
  readonly wait: number;
  /** Asks the same again. */
  readonly again: () => void;
}

/**
 * The answer to the report that is shown: one request for each change, and for a comparison those of the earlier days. A
 * question that is no longer shown is cancelled, so that its answer never replaces a newer one.
 */
export function useMade(token: string, shown: ReportDraft | null, ask: Ask): UseMade {
  const [id] = token.split('|');
  const [whole, setWhole] = useState<{ readonly of: string; readonly body: object } | null>(null);
  const body = shown === null ? null : mainBody(shown);
  const unsorted = textOf({ ...body, sort: null });
  // All rows are here: they are sorted here, too.
  const sent = whole !== null && whole.of === unsorted ? whole.body : body;
  const main = useQuery({
    ...asked,
    queryKey: ['report', id, sent],
    enabled: shown !== null,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Made | null> =>
      shown === null || sent === null ? null : { draft: shown, answer: await answerOf(ask, sent, signal) },
  });
  const data = main.data ?? null;
  const isWholeHere = data !== null && !main.isPlaceholderData && isWhole(data);
  useEffect(() => {
    if (!isWholeHere || sent === null) return;
    setWhole((kept) => (kept?.of === unsorted ? kept : { of: unsorted, body: sent }));
  }, [isWholeHere, unsorted, sent]);
  const draft = shown === null || data === null ? null : main.isPlaceholderData ? data.draft : shown;
  const isNew = shown !== null && data !== null && !main.isPlaceholderData;
  const earlier = useEarlier({ id, draft: isNew ? shown : null, ask });
  const known = draft === null || data === null ? null : knownDays(draft, data);
  const days = useDays({
    id,
    draft: isNew ? shown : null,
    ask,
    isReady: known === null && !earlier.isLoading,
  });
  const ofDays = known ?? days.data?.data ?? null;
  const error = main.error ?? earlier.error ?? days.error;
  const of = earlier.data;
  // The same one until something of it changes: tables of thousands of cells are made of it.
  const made = useMemo((): MadeReport | null => {
    if (draft === null || data === null) return null;
    const lacking = ofDays === null ? null : lackingDays(draft, ofDays);
    return { draft, answer: data.answer, earlier: earlierOf(draft, data, of), lacking };
  }, [draft, data, of, ofDays]);
  return {
    made,
    isBusy: main.isFetching || earlier.isFetching || days.isFetching,
    error: error ?? null,
    wait: useWait(main.failureReason ?? earlier.failureReason ?? days.failureReason),
    again: () => void main.refetch(),
  };
}

const mainBody = (draft: ReportDraft): object =>
  pivotIn(draft) === null ? { ...bodyOf(draft), totals: true, limit: MOST_ROWS } : pivotBody(draft);

async function answerOf(ask: Ask, body: object, signal: AbortSignal): Promise<ReportAnswer> {
  const answer = await ask({ method: 'POST', path: '/generate', body, signal });
  return parseExactly(await answer.text()) as ReportAnswer;
}

interface Question {
  readonly id: string | undefined;
  /** Null: the report itself is not there yet. */
  readonly draft: ReportDraft | null;
  readonly ask: Ask;
}

/** The cells of the earlier days of a pivot. */
function useEarlier({ id, draft, ask }: Question): UseQueryResult<ReportAnswer> {
  const body = draft === null || pivotIn(draft) === null ? null : earlierBody(draft);
  return useQuery({
    ...asked,
    queryKey: ['report-earlier', id, body],
    enabled: body !== null,
    queryFn: ({ signal }) => answerOf(ask, body ?? {}, signal),
  });
}

/** Null: nothing is compared, it is not there yet, or there are more rows than are compared. */
const earlierOf = (
  draft: ReportDraft,
  data: Made,
  answer: ReportAnswer | undefined,
): NonNullable<MadeReport['earlier']> | null => {
  if (answer === undefined || draft.compare === '') return null;
  return isWhole({ answer }) && isWhole(data)
    ? { rows: movedRows(draft, answer.data, data.answer.data) }
    : 'too-many';
};

/** A few rows: which days have data, where a comparison could hide that one has none. */
function useDays({ id, draft, ask, isReady }: Question & { readonly isReady: boolean }) {
  const body = draft === null || draft.compare === '' ? null : daysBody(draft);
  return useQuery({
    ...asked,
    queryKey: ['report-days', id, body],
    enabled: body !== null && isReady,
    queryFn: ({ signal }) => answerOf(ask, body ?? {}, signal),
  });
}

/** The days of a list by day that has them all, with their impressions; null: they have to be asked. */
function knownDays(draft: ReportDraft, { answer }: Made): readonly Row[] | null {
  const isByDay = draft.dimensions.join() === 'day';
  return isByDay && draft.metrics.includes('impressions') && isWhole({ answer }) ? answer.data : null;
}

/** Counts down the reporting API's Retry-After. */
function useWait(failure: Error | null): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    setSeconds(failure instanceof ReportProblem ? failure.waitSeconds : 0);
  }, [failure]);
  useEffect(() => {
    if (seconds <= 0) return;
    const timer = setTimeout(() => setSeconds(seconds - 1), 1_000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return seconds;
}
