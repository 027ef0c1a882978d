import { Group, Loader, Paper, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Problem, wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import type { GroupDraft } from '../data/segments/draft.ts';
import { countQuery } from '../data/segments/queries.ts';
import { formatNumber, formatPercent } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { isComplete, rulesOf } from './convert.ts';

const TYPING_MS = 400;
const words = t.audience;

export interface AudienceCountProps {
  readonly app: string;
  /** Active subscribers of the app: the base of the share. */
  readonly active: number;
  readonly draft: GroupDraft;
  /** The error in the rule, by its path; nothing where it is valid. */
  readonly onErrors: (errors: Readonly<Record<string, string>>) => void;
}

/** How many subscribers the rule reaches, a moment after typing stops. */
export function AudienceCount({ app, active, draft, onErrors }: AudienceCountProps): ReactNode {
  const [settled] = useDebouncedValue(draft, TYPING_MS);
  const rules = isComplete(settled) ? rulesOf(settled) : null;
  const query = useQuery(countQuery(useApi(), app, rules));
  const [shown, setShown] = useState<number | null>(null);
  const count = query.data?.count;
  useEffect(() => {
    if (count !== undefined) setShown(count);
  }, [count]);
  useEffect(() => {
    if (query.error instanceof Problem) onErrors(query.error.fields);
    else if (query.isSuccess) onErrors({});
  }, [query.error, query.isSuccess, onErrors]);
  const isBusy = settled !== draft || query.isFetching;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" wrap="nowrap">
        <div role="status" aria-label={words.title}>
          <Text size="sm" c="dimmed">
            {words.title}
          </Text>
          {rules === null ? (
            <Text size="sm">{words.incomplete}</Text>
          ) : query.isError ? (
            <Text size="sm">{sayingOf(query.error)}</Text>
          ) : (
            <Shown count={count ?? shown} active={active} />
          )}
        </div>
        {isBusy && rules !== null && <Loader size="sm" role="img" aria-label={words.counting} />}
      </Group>
    </Paper>
  );
}

/** Errors in the rule are shown at their row; all others here. */
const sayingOf = (error: unknown): string =>
  error instanceof Problem && error.status === 422 ? words.incomplete : `${words.failed} ${wordsOf(error)}`;

function Shown({ count, active }: { count: number | null; active: number }): ReactNode {
  if (count === null) return <Text size="sm">{words.counting}</Text>;
  return (
    <>
      <Text fz="1.5rem" fw={650} lh={1.25} data-audience={count}>
        {count === 0 ? words.none : formatNumber(count)}
      </Text>
      {active > 0 && (
        <Text size="sm" c="dimmed">
          {words.of(formatPercent((count / active) * 100), formatNumber(active))}
        </Text>
      )}
    </>
  );
}
