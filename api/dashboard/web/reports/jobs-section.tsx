import { Alert, Button, Group, NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { wordsOf } from '../data/http/problem.ts';
import { formatAgo, formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';
import { type Format, formats, type ReportDraft } from './report.ts';
import { type Ask, isOpen, type Job, useJobs } from './use-jobs.ts';

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
  const { jobs, make, save, remove } = useJobs(token, ask, onError);
  const error = make.error ?? save.error;
  const isEmpty = draft.dimensions.length === 0 || draft.metrics.length === 0;
  if (jobs.data === null || jobs.data === undefined) return null;
  const columns: readonly Column<Job>[] = [
    { key: 'job', header: words.job, names: true, cell: ({ id }) => words.number(id) },
    { key: 'made', header: t.tokens.created, cell: ({ created_at }) => formatAgo(created_at) },
    { key: 'format', header: words.format, cell: (job) => t.reports.formats[job.format] },
    { key: 'state', header: words.state, cell: progressOf },
    {
      key: 'acts',
      header: t.table.acts,
      acts: true,
      cell: (job) => (
        <Acts
          job={job}
          isBusy={save.isPending}
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
          onClick={() => make.mutate({ draft, format })}
        >
          {words.make}
        </Button>
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

function progressOf({ state, rows, seconds_left: left, problem }: Job): string {
  if (state === 'failed') return `${words.states.failed}: ${problem?.message ?? ''}`;
  const counted = rows > 0 ? `, ${words.rows(formatNumber(rows))}` : '';
  return `${words.states[state]}${counted}${left === null ? '' : `, ${words.left(left)}`}`;
}

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
