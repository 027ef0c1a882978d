import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { useApi } from '../data/http/services.tsx';
import { type PromptResults, promptResultsQuery } from '../data/prompts/queries.ts';
import { formatChance, formatDay, formatNumber, formatPercent } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadProblem } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

const words = t.prompts;
type Result = PromptResults['variants'][number];
const counts = ['shown', 'accepted', 'granted', 'dismissed', 'subscribed'] as const;

const columns: readonly Column<Result>[] = [
  {
    key: 'variant',
    header: words.variantHeader,
    names: true,
    cell: ({ variant, kind }) => `${variant.toUpperCase()}: ${words.kinds[kind]}`,
  },
  ...counts.map((key) => ({
    key,
    header: words.counts[key],
    numeric: true,
    cell: (row: Result) => formatNumber(row[key]),
  })),
  {
    key: 'rate',
    header: words.rate,
    numeric: true,
    cell: ({ rate, interval }) =>
      rate === null ? (
        '–'
      ) : interval === null ? (
        formatPercent(rate)
      ) : (
        <Text component="span" size="sm" style={{ whiteSpace: 'nowrap' }}>
          {formatPercent(rate)}
          <Text component="span" display="block" size="xs" c="dimmed">
            {words.between(formatPercent(interval[0] ?? 0), formatPercent(interval[1] ?? 0))}
          </Text>
        </Text>
      ),
  },
  {
    key: 'best',
    header: words.best,
    numeric: true,
    cell: ({ probability_best: best }) => (best === null ? t.campaign.tooEarly(0) : formatChance(best * 100)),
  },
];

/** What the variants of this round did. */
export function ResultsSection({ round }: { round: number }): ReactNode {
  const { identifier } = useApp();
  const query = useQuery(promptResultsQuery(useApi(), identifier, round));
  const since = query.data?.since ?? null;
  return (
    <Section
      title={words.results}
      description={
        <>
          {words.invented} {since !== null && words.since(formatDay(since))}
        </>
      }
    >
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable
          label={words.results}
          columns={query.data?.variants.length === 1 ? columns.slice(0, -1) : columns}
          rows={query.data?.variants}
          keyOf={({ variant }) => variant}
        />
      )}
    </Section>
  );
}
