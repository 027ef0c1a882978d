import { Badge, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatTime, formatUtcDay } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/section.tsx';
import type { DayState, DaysAnswer, SourceState } from './answers.ts';
import { QuestionForm } from './question-form.tsx';
import { Restatements } from './restatements.tsx';
import { type CheckProps, periodBody, useQuestion } from './use-question.ts';

const words = t.reportChecks.days;

/** How certain the days of each source are, and what changed of them afterwards. */
export function Days(props: CheckProps): ReactNode {
  const { draft, onChange } = props;
  const body = {
    ...{ dimensions: ['day'], metrics: ['impressions'], currency: draft.currency, limit: 1 },
    ...{ ...periodBody(draft), source_days: true },
  };
  const [question, setQuestion] = useState(body);
  const found = useQuestion<DaysAnswer>(props, { method: 'POST', path: '/generate', body: question });
  return (
    <>
      <QuestionForm
        title={t.reportChecks.views.days}
        about={words.about}
        draft={draft}
        error={found.error}
        isBusy={found.isFetching}
        onChange={onChange}
        onRun={() => {
          if (JSON.stringify(body) === JSON.stringify(question)) void found.refetch();
          else setQuestion(body);
        }}
      />
      {found.data !== undefined && <States answer={found.data} />}
      <Restatements {...props} />
    </>
  );
}

const colors: Readonly<Record<DayState, string>> = { open: 'yellow', complete: 'indigo', final: 'green' };

function States({ answer: { meta } }: { answer: DaysAnswer }): ReactNode {
  const columns: readonly Column<SourceState>[] = [
    { key: 'source', header: words.source, names: true, cell: ({ source }) => source },
    { key: 'days', header: words.days, cell: daysText },
    {
      key: 'state',
      header: words.state,
      cell: ({ state }) => (
        <Badge variant="light" color={colors[state]}>
          {words.states[state]}
        </Badge>
      ),
    },
    {
      key: 'by',
      header: words.by,
      cell: ({ said_by: by, said_at: at }) =>
        by === null
          ? words.nobody
          : [words.speakers[by], ...(at === null ? [] : [formatTime(at)])].join(', '),
    },
  ];
  const left = meta.source_states_left_out ?? 0;
  return (
    <Section title={words.title} description={left > 0 ? words.left(left) : undefined}>
      {meta.source_states.length === 0 ? (
        <Text>{words.none}</Text>
      ) : (
        <DataTable
          label={words.title}
          columns={columns}
          rows={meta.source_states}
          keyOf={({ source, first_day: day }) => `${source} ${day}`}
        />
      )}
    </Section>
  );
}

function daysText({ first_day: first, last_day: last }: SourceState): string {
  const [from, to] = [first, last].map((day) => formatUtcDay(new Date(day)));
  return first === last ? (from ?? '') : `${from} – ${to}`;
}
