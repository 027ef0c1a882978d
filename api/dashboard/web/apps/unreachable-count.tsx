import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { type Api, dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';

const SETTLED_MS = 500;
const [LEAST, MOST] = [60, 400];

const unreachableQuery = (api: Api, identifier: string, days: number) =>
  queryOptions({
    queryKey: ['unreachable', identifier, days],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/client/apps/{identifier}/unreachable', {
          params: { path: { identifier }, query: { days } },
          signal,
        }),
      ),
    enabled: days >= LEAST && days <= MOST,
  });

/** Whom pruning would unsubscribe, before it is switched on. */
export function UnreachableCount({ days }: { days: number }): ReactNode {
  const { identifier } = useApp();
  const [settled] = useDebouncedValue(days, SETTLED_MS);
  const { data } = useQuery(unreachableQuery(useApi(), identifier, settled));
  return (
    <Text size="sm" role="status">
      {data === undefined
        ? ''
        : data.displays_known
          ? t.standing.pruneCount(data.count, formatNumber(data.count), data.days)
          : t.standing.pruneUnknown}
    </Text>
  );
}
