import { useQuery } from '@tanstack/react-query';
import { useApi } from '../data/http/services.tsx';
import { reportDomainsQuery } from '../data/organization/queries.ts';
import { type Dimension, daysIn, isTime, type ReportDraft } from './report.ts';
import type { ReportAnswer } from './result.ts';

/** Where the values of a dimension come from. */
export interface ValuesSource {
  readonly draft: ReportDraft;
  readonly token: string;
  readonly send: (body: object) => Promise<Response>;
}

const MOST_VALUES = 100;
const KEPT_MS = 5 * 60_000;

/**
 * Values of a dimension to choose from, those with the most impressions first: what the report’s token sees in these
 * days, and so nothing that is not granted. Of domains those that are granted come at once, also without any figures.
 * @param wanted asks for them: somebody is about to choose.
 */
export function useValues(
  { draft, token, send }: ValuesSource,
  dimension: Dimension,
  wanted: boolean,
): readonly string[] {
  const { from, to } = daysIn(draft);
  const [id] = token.split('|');
  const seen = useQuery({
    queryKey: ['report-values', id, dimension, from, to],
    enabled: wanted && !isTime(dimension),
    retry: false,
    staleTime: KEPT_MS,
    queryFn: async (): Promise<readonly string[]> => {
      const body = {
        dimensions: [dimension],
        metrics: ['impressions'],
        currency: draft.currency,
        selectedDate: [from, to],
        sort: [{ by: 'impressions', direction: 'desc' }],
        limit: MOST_VALUES,
      };
      const { data } = (await (await send(body)).json()) as ReportAnswer;
      return data.map((row) => String(row[dimension] ?? '')).filter((value) => value !== '');
    },
  });
  const granted = useQuery({ ...reportDomainsQuery(useApi()), enabled: wanted && dimension === 'domain' });
  const domains = dimension === 'domain' ? (granted.data?.domains ?? []) : [];
  return [...new Set([...(seen.data ?? []), ...domains])];
}
