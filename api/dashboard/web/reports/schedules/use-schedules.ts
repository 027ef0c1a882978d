import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { ReportProblem } from '../send-report.ts';
import type { Ask } from '../use-jobs.ts';
import { isUnderWay, type Run, type SchedulesAnswer } from './answers.ts';

const LOOK_AGAIN_MS = 3_000;

export interface SchedulesOptions {
  readonly token: string;
  readonly ask: Ask;
  readonly onRefused: () => void;
}

/** The organization's schedules. */
export function useSchedules({ token, ask, onRefused }: SchedulesOptions) {
  const queries = useQueryClient();
  const queryKey = ['report-schedules', token.split('|')[0]];
  const schedules = useQuery({
    queryKey,
    retry: false,
    queryFn: async ({ signal }): Promise<SchedulesAnswer> =>
      (await ask({ method: 'GET', path: '/schedules', signal })).json() as Promise<SchedulesAnswer>,
  });
  const refused = useEffectEvent(onRefused);
  const { error } = schedules;
  useEffect(() => {
    if (error instanceof ReportProblem && error.why === 'token') refused();
  }, [error]);
  return { schedules, refresh: (): Promise<void> => queries.invalidateQueries({ queryKey }) };
}

/** What a schedule has made, read again while a run is under way. */
export function useRuns(id: number, ask: Ask) {
  const queries = useQueryClient();
  const queryKey = ['report-runs', id];
  const runs = useQuery({
    queryKey,
    retry: false,
    queryFn: async ({ signal }): Promise<readonly Run[]> => {
      const answer = await ask({ method: 'GET', path: `/schedules/${id}/runs`, signal });
      return ((await answer.json()) as { readonly data: readonly Run[] }).data;
    },
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_AGAIN_MS : false),
  });
  return { runs, refresh: (): Promise<void> => queries.invalidateQueries({ queryKey }) };
}
