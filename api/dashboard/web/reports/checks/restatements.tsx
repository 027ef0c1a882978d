import { Alert, Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { wordsOf } from '../../data/http/problem.ts';
import { formatMoney, formatNumber, formatTime, formatUtcDay } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/section.tsx';
import { asked } from '../use-made.ts';
import { FEED_ROWS, type RestatedFigures, type Restatement, type RestatementsAnswer } from './answers.ts';
import type { CheckProps } from './use-question.ts';

const words = t.reportChecks.days;

/** What sources changed of days that were reported before, the newest first. */
export function Restatements({ token, ask }: CheckProps): ReactNode {
  const feed = useInfiniteQuery({
    ...asked,
    queryKey: ['report-restatements', token.split('|')[0]],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }): Promise<RestatementsAnswer> => {
      const path = `/restatements${pageParam === '' ? '' : `?cursor=${pageParam}`}`;
      return (await ask({ method: 'GET', path, signal })).json() as Promise<RestatementsAnswer>;
    },
    getNextPageParam: ({ data, meta }) => (data.length < FEED_ROWS ? null : meta.next_cursor),
  });
  const rows = feed.data?.pages.flatMap(({ data }) => data);
  return (
    <Section title={words.changes} description={words.changesAbout}>
      {feed.error !== null && (
        <Alert color="red" role="alert" title={t.problems.title}>
          {wordsOf(feed.error)}
        </Alert>
      )}
      {rows?.length === 0 ? (
        <Text>{words.changesNone}</Text>
      ) : (
        feed.error === null && (
          <DataTable
            label={words.changes}
            columns={columns}
            rows={rows}
            keyOf={({ id, day }) => `${id} ${day}`}
          />
        )
      )}
      {feed.hasNextPage && (
        <Group>
          <Button
            variant="default"
            loading={feed.isFetchingNextPage}
            onClick={() => void feed.fetchNextPage()}
          >
            {words.more}
          </Button>
        </Group>
      )}
    </Section>
  );
}

const columns: readonly Column<Restatement>[] = [
  { key: 'day', header: t.reports.fields.day, names: true, cell: ({ day }) => formatUtcDay(new Date(day)) },
  { key: 'source', header: words.source, cell: ({ source }) => source },
  {
    key: 'change',
    header: words.change,
    cell: ({ change, was_final: wasFinal, restated_at: at }) => (
      <>
        {words.changed[change]}
        <Text size="xs" c="dimmed">
          {[formatTime(at), ...(wasFinal ? [words.wasFinal] : [])].join(', ')}
        </Text>
      </>
    ),
  },
  { key: 'before', header: words.before, numeric: true, cell: (row) => <Sums row={row} of="before" /> },
  { key: 'after', header: words.after, numeric: true, cell: (row) => <Sums row={row} of="after" /> },
];

const Sums = ({ row, of }: { row: Restatement; of: 'before' | 'after' }): ReactNode =>
  row.currencies.map(({ currency, ...figures }) => (
    <div key={currency}>{sumsText(figures[of], currency)}</div>
  ));

const sumsText = ({ impressions, earnings }: RestatedFigures, currency: string): ReactNode => (
  <>
    {/^[A-Z]{3}$/.test(currency) ? formatMoney(Number(earnings), currency) : earnings}
    <Text size="xs" c="dimmed">
      {words.impressions(formatNumber(impressions))}
    </Text>
  </>
);
