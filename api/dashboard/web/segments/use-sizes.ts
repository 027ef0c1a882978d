import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../data/http/services.tsx';
import { countQuery, type Segment } from '../data/segments/queries.ts';
import { formatNumber } from '../format/format.ts';

const FRESH_MS = 5 * 60_000;

/**
 * How many subscribers each of the segments reaches now; one that is not counted yet is missing. One after another: each
 * is a count over all subscribers, and an organization has few such reads at a time.
 */
export function useSizes(app: string, segments: readonly Segment[]): ReadonlyMap<number, string> {
  const api = useApi();
  const queries = useQueryClient();
  const asked = segments.map(({ rules }) => ({ ...countQuery(api, app, rules), staleTime: FRESH_MS }));
  const isOpen = asked.map(
    ({ queryKey }) => (queries.getQueryState(queryKey)?.status ?? 'pending') === 'pending',
  );
  const next = isOpen.indexOf(true);
  const counted = useQueries({
    queries: asked.map((query, at) => ({ ...query, enabled: next < 0 || at <= next })),
  });
  return new Map(
    segments.flatMap(({ id }, at) => {
      const count = counted[at];
      if (count?.isError === true) return [[id, '–'] as const];
      return count?.data === undefined ? [] : [[id, formatNumber(count.data.count)] as const];
    }),
  );
}
