import { Alert, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { wordsOf } from '../../data/http/problem.ts';
import { formatKilobytes, formatNumber, formatTime, formatUtcDay } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toastDone, toastProblem } from '../../ui/toast.ts';
import type { Ask } from '../use-jobs.ts';
import type { Run, Schedule } from './answers.ts';
import { useRuns } from './use-schedules.ts';

const words = t.reportSchedules;

interface HistoryProps {
  readonly schedule: Schedule;
  readonly ask: Ask;
  readonly onClose: () => void;
}

/** What a schedule has made: sizes, times, and why a run failed. */
export function History({ schedule, ask, onClose }: HistoryProps): ReactNode {
  const { runs, refresh } = useRuns(schedule.id, ask);
  const repeat = useMutation({
    mutationFn: ({ id }: Run) => ask({ method: 'POST', path: `/schedules/${schedule.id}/runs/${id}` }),
    onSuccess: () => toastDone(words.runBegan(schedule.saved_name)),
    onError: toastProblem,
    onSettled: refresh,
  });
  const columns: readonly Column<Run>[] = [
    { key: 'days', header: words.days, names: true, cell: daysText },
    { key: 'state', header: words.state, cell: stateText },
    { key: 'rows', header: words.rows, numeric: true, cell: ({ rows }) => numberText(rows) },
    { key: 'size', header: words.size, numeric: true, cell: ({ bytes }) => sizeText(bytes) },
    { key: 'begun', header: words.begun, time: true, cell: (run) => formatTime(run.created_at) },
    {
      key: 'acts',
      header: t.table.acts,
      acts: true,
      cell: (run) =>
        run.state === 'failed' &&
        schedule.may_change && (
          <Button
            size="xs"
            variant="default"
            aria-label={words.repeatOf(daysText(run))}
            loading={repeat.isPending && repeat.variables.id === run.id}
            onClick={() => repeat.mutate(run)}
          >
            {words.repeat}
          </Button>
        ),
    },
  ];
  return (
    <Dialog opened onClose={onClose} size="xl" title={words.historyOf(schedule.saved_name)}>
      {runs.error !== null && (
        <Alert color="red" role="alert">
          {wordsOf(runs.error)}
        </Alert>
      )}
      {runs.data?.length === 0 ? (
        <Text>{words.noRuns}</Text>
      ) : (
        <DataTable
          label={words.historyOf(schedule.saved_name)}
          columns={columns}
          rows={runs.data}
          keyOf={({ id }) => id}
        />
      )}
    </Dialog>
  );
}

function daysText({ first_day: first, last_day: last }: Run): string {
  if (first === null || last === null) return '–';
  const [from, to] = [formatUtcDay(new Date(first)), formatUtcDay(new Date(last))];
  return from === to ? from : `${from} – ${to}`;
}

function stateText({ state, problem, next_attempt_at: again }: Run): string {
  const said = words.states[state];
  if (state === 'done' || problem === null) return said;
  return again === null ? `${said}: ${problem}` : `${said}: ${problem} ${words.again(formatTime(again))}`;
}

const numberText = (value: number | null): string => (value === null ? '–' : formatNumber(value));
const sizeText = (bytes: number | null): string => (bytes === null ? '–' : formatKilobytes(bytes));
