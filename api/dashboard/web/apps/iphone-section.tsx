import { Alert, Button, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { iphoneStateOf } from '../data/apps/iphone-state.ts';
import { type HomeScreenCheck, homeScreenQuery } from '../data/apps/overview-queries.ts';
import { useApp } from '../data/apps/use-app.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

const words = t.integration.iphone;

/** How readers with an iPhone subscribe, and whether the site is ready for them: read again by each press. */
export function IphoneSection(): ReactNode {
  const { identifier } = useApp();
  const check = useQuery(homeScreenQuery(useApi(), identifier));
  return (
    <Section title={words.title} description={words.hint}>
      {check.isError ? (
        <LoadProblem error={check.error} onRetry={() => void check.refetch()} />
      ) : (
        <>
          <div role="status">{check.data !== undefined && <Result check={check.data} />}</div>
          <Group>
            <Button variant="default" loading={check.isFetching} onClick={() => void check.refetch()}>
              {check.data === undefined ? words.check : words.again}
            </Button>
          </Group>
        </>
      )}
    </Section>
  );
}

function Result({ check: { findings, manifest_url: manifest } }: { check: HomeScreenCheck }): ReactNode {
  const state = iphoneStateOf(findings);
  const title = { unknown: words.unknown, blocked: words.missing, poor: words.poor, ready: words.ready }[
    state
  ];
  return (
    <Alert color={state === 'blocked' || state === 'unknown' ? 'yellow' : 'teal'} title={title}>
      {findings.length > 0 && (
        <List size="sm" spacing="xs">
          {findings.map(({ code }) => (
            <List.Item key={code}>{words.findings[code]}</List.Item>
          ))}
        </List>
      )}
      {manifest !== null && (
        <Text size="sm" c="dimmed" mt={findings.length > 0 ? 'sm' : 0} style={{ overflowWrap: 'anywhere' }}>
          {words.manifest}
          {manifest}
        </Text>
      )}
    </Alert>
  );
}
