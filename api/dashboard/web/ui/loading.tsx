import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { wordsOf } from '../data/http/problem.ts';
import { t } from '../texts/t.ts';
import { InSlices } from './in-slices.tsx';

/** A loading error, in words, with a way to try again. */
export const LoadProblem = ({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode => (
  <Alert color="red" title={t.problems.loading} role="alert">
    <Group justify="space-between">
      <Text size="sm">{wordsOf(error)}</Text>
      <Button size="xs" variant="default" onClick={onRetry}>
        {t.actions.retry}
      </Button>
    </Group>
  </Alert>
);

/** Grey lines in the shape of the coming content. */
export const Lines = ({ count = 4, height = 18 }: { count?: number; height?: number }): ReactNode => (
  <Stack gap="sm" aria-busy="true">
    <span className="visually-hidden" role="status">
      {t.pending}
    </span>
    {Array.from({ length: count }, (_, line) => (
      <Skeleton key={String(line)} height={height} width={line === count - 1 ? '60%' : '100%'} />
    ))}
  </Stack>
);

export interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly placeholder?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Shows a query's result; until then a skeleton, and an error text where it fails. */
export function Loaded<Data>({ query, placeholder = <Lines />, children }: LoadedProps<Data>): ReactNode {
  const { data } = query;
  if (data !== undefined) return <InSlices placeholder={placeholder}>{() => children(data)}</InSlices>;
  if (query.isError) return <LoadProblem error={query.error} onRetry={() => void query.refetch()} />;
  return placeholder;
}
