import { Alert, Button, Checkbox, Group, NativeSelect, Progress, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { wordsOf } from '../data/http/problem.ts';
import { formatDuration } from '../format/duration.ts';
import { formatAgo, formatNumber, formatTime } from '../format/format.ts';
import { oldRatesText } from '../format/rate-sources.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';
import { type Format, formats, type ReportDraft } from './report.ts';
import { type Ask, isOpen, type Job, type JobProblem, useJobs } from './use-jobs.ts';

const words = t.reports.jobs;

export interface JobsSectionProps {
  readonly draft: ReportDraft;
  readonly token: string;
  readonly ask: Ask;
  readonly onError: (error: Error) => void;
}

/** Reports that are too large to wait for. Not there where the reporting service keeps no results. */
export function JobsSection({ draft, token, ask, onError }: JobsSectionProps): ReactNode {
  const [format, setFormat] = useState<Format>('csv');
  const [hasSources, setSources] = useState(false);
  const { jobs, make, save, remove } = useJobs(token, ask, onError);
  const error = make.error ?? save.error;
  const isEmpty = draft.dimensions.length === 0 || draft.metrics.length === 0;
  if (jobs.data === null || jobs.data === undefined) return null;
  const columns: readonly Column<Job>[] = [
    { key: 'job', header: words.job, names: true, cell: ({ id }) => words.number(id) },
    { key: 'made', header: t.tokens.created, cell: ({ created_at }) => formatAgo(created_at) },
    { key: 'format', header: words.format, cell: (job) => t.reports.formats[job.format] },
    { key: 'state', header: words.state, cell: (job) => <State job={job} /> },
    {
      key: 'acts',
      header: t.table.acts,
      acts: true,
      cell: (job) => (
        <Acts
          job={job}
          isBusy={save.isPending && save.variables.id === job.id}
          onSave={() => save.mutate(job)}
          onRemove={() => remove(job)}
        />
      ),
    },
  ];
  return (
    <Section title={words.title} description={words.about}>
      <Group align="end">
        <NativeSelect
          label={words.format}
          value={format}
          data={formats.map((value) => ({ value, label: t.reports.formats[value] }))}
          onChange={({ currentTarget }) => setFormat(currentTarget.value as Format)}
        />
        <Button
          variant="default"
          loading={make.isPending}
          disabled={isEmpty}
          onClick={() => make.mutate({ draft, format, hasSources })}
        >
          {words.make}
        </Button>
        <Checkbox
          label={t.reports.withSources}
          checked={hasSources}
          onChange={({ currentTarget }) => setSources(currentTarget.checked)}
        />
      </Group>
      {error !== null && (
        <Alert color="red" role="alert" title={t.problems.title}>
          {wordsOf(error)}
        </Alert>
      )}
      {jobs.data.length === 0 ? (
        <Text>{words.none}</Text>
      ) : (
        <DataTable label={words.title} columns={columns} rows={jobs.data} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}

/** How far it is, and of a result until when it is there, and what a reader of its money must know. */
function State({ job }: { job: Job }): ReactNode {
  const share = shareOf(job, Date.now());
  return (
    <Stack gap={4}>
      <span>{progressOf(job)}</span>
      {share !== null && <Progress size="sm" value={100 * share} aria-hidden />}
      {job.state === 'done' &&
        caveatsOf(job).map((caveat) => (
          <Text key={caveat} size="xs" c="dimmed">
            {caveat}
          </Text>
        ))}
    </Stack>
  );
}

function progressOf({ state, rows, seconds_left: left, problem }: Job): string {
  if (state === 'failed')
    return [words.states.failed, ...(problem === null ? [] : [reasonOf(problem)])].join(': ');
  const counted = rows > 0 ? `, ${words.rows(formatNumber(rows))}` : '';
  return `${words.states[state]}${counted}${left === null ? '' : `, ${words.left(formatDuration(left))}`}`;
}

/** What was refused, and how to ask for less, and not only that something was. */
const reasonOf = ({ message, errors = {} }: JobProblem): string =>
  Object.values(errors).flat().join(' ') || message;

/** Of its time, so far; null where how long it takes is not known. */
function shareOf({ state, started_at: started, seconds_left: left }: Job, nowMs: number): number | null {
  if (state !== 'running' || started === null || left === null) return null;
  const passed = Math.max(0, (nowMs - Date.parse(started)) / 1_000);
  return passed / Math.max(1, passed + left);
}

const caveatsOf = ({ left_out: leftOut, old_rates: oldRates, expires_at: until }: Job): string[] => [
  ...(until === null ? [] : [words.until(formatTime(until))]),
  ...oldRatesText(oldRates),
  ...(leftOut.length === 0 ? [] : [t.reports.leftOut(leftOut.map(({ currency }) => currency).join(', '))]),
];

interface ActsProps {
  readonly job: Job;
  readonly isBusy: boolean;
  readonly onSave: () => void;
  readonly onRemove: () => Promise<void>;
}

const Acts = ({ job, isBusy, onSave, onRemove }: ActsProps): ReactNode => (
  <Group justify="flex-end" gap="xs">
    {job.state === 'done' && (
      <Button
        size="xs"
        variant="default"
        loading={isBusy}
        aria-label={words.download(job.id)}
        onClick={onSave}
      >
        {t.reports.download}
      </Button>
    )}
    <ConfirmedButton
      label={isOpen(job) ? words.cancel : words.delete}
      name={words.end(job.id)}
      title={words.question(job.id)}
      text={words.consequence}
      act={isOpen(job) ? words.cancel : words.delete}
      run={onRemove}
      done={words.gone(job.id)}
      button={{ size: 'xs' }}
    />
  </Group>
);
