import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { PeriodDraft } from '../options.tsx';
import { daysIn } from '../report.ts';
import { ReportProblem } from '../send-report.ts';
import type { Ask } from '../use-jobs.ts';
import { asked } from '../use-made.ts';

/** What each view is given. */
export interface CheckProps {
  readonly token: string;
  readonly ask: Ask;
  readonly draft: PeriodDraft;
  readonly onChange: (draft: PeriodDraft) => void;
  readonly onRefused: () => void;
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/**
 * The answer to a question; null: it is not asked yet. A refused token goes to the page.
 * @param keepsOld the answer before it is shown until it comes.
 */
export function useQuestion<Answer>(
  { token, ask, onRefused }: Pick<CheckProps, 'token' | 'ask' | 'onRefused'>,
  question: Question | null,
  { keepsOld = false } = {},
): UseQueryResult<Answer> {
  const query = useQuery({
    ...asked,
    queryKey: ['report-check', token.split('|')[0], question],
    enabled: question !== null,
    ...(keepsOld ? { placeholderData: keepPreviousData } : {}),
    queryFn: async ({ signal }): Promise<Answer> => {
      if (question === null) throw new Error('there is no question');
      return (await ask({ ...question, signal })).json() as Promise<Answer>;
    },
  });
  const refused = useEffectEvent(onRefused);
  const { error } = query;
  useEffect(() => {
    if (error instanceof ReportProblem && error.why === 'token') refused();
  }, [error]);
  return query;
}

export const fieldsOf = (error: Error | null): Readonly<Record<string, string>> =>
  error instanceof ReportProblem ? error.fields : {};

/** The days of a question, as the API takes them. */
export function periodBody(draft: PeriodDraft) {
  const { from, to } = daysIn(draft);
  return {
    selectedDate: [from, to],
    ...(draft.timezone === 'UTC' ? {} : { timezone: draft.timezone }),
  };
}
