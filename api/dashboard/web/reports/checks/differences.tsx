import { Button, Group, NativeSelect, NumberInput, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatMoney, formatNumber, formatUtcDay } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconReportMoney } from '../../ui/icons.ts';
import { Lines } from '../../ui/loading.tsx';
import { Section } from '../../ui/section.tsx';
import type { Difference, DifferenceFigures, DifferencesAnswer } from './answers.ts';
import { changeText, differenceText } from './figures.ts';
import { MoneyNotes } from './money-notes.tsx';
import { NoteCell } from './note-cell.tsx';
import { QuestionForm } from './question-form.tsx';
import { type CheckProps, periodBody, useQuestion } from './use-question.ts';

const words = t.reportChecks.differences;

/** Of differences, the largest first: those that are shown, and the most that a page can. */
const [FIRST_ROWS, MOST_ROWS] = [100, 1_000];

/** Two sources side by side. */
export function Differences(props: CheckProps): ReactNode {
  const sources = useQuestion<{ readonly data: readonly string[] }>(props, {
    method: 'GET',
    path: '/discrepancies/sources',
  });
  const names = sources.data?.data;
  if (sources.isLoading) return <Lines />;
  if (names !== undefined && names.length < 2)
    return (
      <EmptyState icon={IconReportMoney} title={words.twoNeeded}>
        {words.twoNeededAbout(names[0] ?? null)}
      </EmptyState>
    );
  return <Comparison {...props} names={names ?? []} error={sources.error} />;
}

interface ComparisonProps extends CheckProps {
  readonly names: readonly string[];
  readonly error: Error | null;
}

function Comparison({ names, error, ...props }: ComparisonProps): ReactNode {
  const { draft, onChange } = props;
  const [given, setGiven] = useState({
    first: names[0] ?? '',
    second: names[1] ?? '',
    amount: 0,
    percent: 0,
  });
  const body = {
    sources: [given.first, given.second],
    currency: draft.currency,
    ...periodBody(draft),
    min_amount: given.amount,
    min_percent: given.percent,
    limit: FIRST_ROWS,
  };
  const [question, setQuestion] = useState(names.length < 2 ? null : body);
  const found = useQuestion<DifferencesAnswer>(
    props,
    question === null ? null : { method: 'POST', path: '/discrepancies', body: question },
    { keepsOld: question?.limit === MOST_ROWS },
  );
  const sourceField = (field: 'first' | 'second'): ReactNode => (
    <NativeSelect
      label={words[field]}
      value={given[field]}
      data={names.filter((name) => name !== given[field === 'first' ? 'second' : 'first'])}
      onChange={({ currentTarget }) => setGiven({ ...given, [field]: currentTarget.value })}
    />
  );
  const leastField = (field: 'amount' | 'percent', label: string): ReactNode => (
    <NumberInput
      label={label}
      min={0}
      value={given[field]}
      onChange={(value) => setGiven({ ...given, [field]: typeof value === 'number' ? value : 0 })}
    />
  );
  return (
    <>
      <QuestionForm
        title={t.reportChecks.views.differences}
        about={words.about}
        draft={draft}
        error={error ?? found.error}
        isBusy={found.isFetching}
        onChange={onChange}
        onRun={() => {
          if (JSON.stringify(body) === JSON.stringify(question)) void found.refetch();
          else setQuestion(body);
        }}
      >
        {sourceField('first')}
        {sourceField('second')}
        {leastField('amount', words.amount(draft.currency))}
        {leastField('percent', words.percent)}
      </QuestionForm>
      {found.data !== undefined && (
        <Found
          {...props}
          answer={found.data}
          isBusy={found.isFetching}
          onNoted={() => void found.refetch()}
          onMore={() => setQuestion({ ...body, ...question, limit: MOST_ROWS })}
        />
      )}
    </>
  );
}

interface FoundProps extends CheckProps {
  readonly answer: DifferencesAnswer;
  readonly isBusy: boolean;
  readonly onNoted: () => void;
  readonly onMore: () => void;
}

function Found({ ask, answer: { data, meta }, isBusy, onNoted, onMore }: FoundProps): ReactNode {
  const { currency, totals, sources } = meta;
  const [first, second] = sources;
  const counted = words.counted(formatNumber(meta.total_count), formatNumber(meta.compared));
  const cut = meta.next_offset === null ? [] : [words.cut(formatNumber(meta.count))];
  const figures = figuresIn(currency);
  const columns = columnsOf(
    currency,
    (row) => <NoteCell row={row} sources={sources} ask={ask} onNoted={onNoted} />,
    sources,
  );
  return (
    <Section
      title={words.title(first, second)}
      description={<MoneyNotes meta={meta} lines={[counted, ...cut, words.order(first, second)]} />}
    >
      {data.length === 0 ? (
        <Text>{meta.compared === 0 ? words.nothing : words.none}</Text>
      ) : (
        <DataTable
          label={words.title(first, second)}
          columns={columns}
          rows={data}
          keyOf={({ day, domain }) => `${day} ${domain}`}
          footer={[
            t.reports.total,
            null,
            figures.impressions(totals),
            figures.earnings(totals),
            figures.difference(totals),
            null,
          ]}
        />
      )}
      {meta.next_offset !== null && data.length < MOST_ROWS && (
        <Group>
          <Button variant="default" loading={isBusy} onClick={onMore}>
            {words.more(formatNumber(MOST_ROWS))}
          </Button>
        </Group>
      )}
    </Section>
  );
}

function columnsOf(
  currency: string,
  noteOf: (row: Difference) => ReactNode,
  sources: readonly [string, string],
): readonly Column<Difference>[] {
  const figures = figuresIn(currency);
  return [
    { key: 'day', header: t.reports.fields.day, cell: ({ day }) => formatUtcDay(new Date(day)) },
    {
      key: 'site',
      header: t.reports.fields.domain,
      names: true,
      cell: (row) => <Site row={row} sources={sources} />,
    },
    {
      key: 'impressions',
      header: t.reports.fields.impressions,
      numeric: true,
      cell: figures.impressions,
    },
    { key: 'earnings', header: t.reports.fields.earnings, numeric: true, cell: figures.earnings },
    { key: 'difference', header: words.difference, numeric: true, cell: figures.difference },
    { key: 'reason', header: words.reason, cell: noteOf },
  ];
}

/** Of a row and of the totals: the first source's above the second's. */
function figuresIn(currency: string) {
  const money = (value: number): string => formatMoney(value, currency);
  const both = (first: string, second: string): ReactNode => (
    <>
      {first}
      <br />
      {second}
    </>
  );
  return {
    impressions: (of: DifferenceFigures) =>
      both(formatNumber(of.first_impressions), formatNumber(of.second_impressions)),
    earnings: (of: DifferenceFigures) => both(money(of.first_earnings), money(of.second_earnings)),
    difference: (of: DifferenceFigures) =>
      both(differenceText(of.earnings_difference, currency), changeText(of.earnings_percent)),
  };
}

const Site = ({ row, sources }: { row: Difference; sources: readonly [string, string] }): ReactNode => (
  <>
    {row.domain}
    {row.missing !== null && (
      <Text size="xs" c="dimmed">
        {words.missing(sources[row.missing === 'first' ? 0 : 1])}
      </Text>
    )}
  </>
);
