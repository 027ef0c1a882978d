import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../data/http/services.tsx';
import { resultsQuery, type TestResults } from '../../data/test-browsers/queries.ts';
import { t } from '../../texts/t.ts';
import { Loaded } from '../../ui/loading.tsx';

const words = t.tests;

const colors: Readonly<Record<TestResults['browsers'][number]['state'], string>> = {
  waiting: 'gray',
  not_sent: 'gray',
  failed: 'red',
  accepted: 'indigo',
  displayed: 'teal',
  clicked: 'teal',
};

interface ResultsProps {
  readonly app: string;
  readonly delivery: number;
  readonly sentAtMs: number;
}

/** How a test went in each browser, as it comes. */
export default function Results({ app, delivery, sentAtMs }: ResultsProps): ReactNode {
  const query = useQuery(resultsQuery(useApi(), app, delivery, sentAtMs));
  return (
    <Loaded query={query}>
      {({ browsers, reactions_known: known }) => (
        <Stack gap="xs" aria-live="polite">
          {browsers.map(({ test_browser_id: id, subscription_id, name, state }) => (
            <Group key={id ?? subscription_id ?? 'gone'} justify="space-between" wrap="nowrap">
              <Text style={{ overflowWrap: 'anywhere' }}>{name ?? words.removedSince}</Text>
              <Badge miw="max-content" color={colors[state]}>
                {words.states[state]}
              </Badge>
            </Group>
          ))}
          {!known && (
            <Text size="sm" c="dimmed">
              {words.unknown}
            </Text>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
