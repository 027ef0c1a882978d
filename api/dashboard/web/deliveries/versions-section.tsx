import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Delivery, versionsQuery } from '../data/deliveries/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';

const words = t.change;

/** What it said before each of its changes, the newest first. */
export function VersionsSection({ app, delivery }: { app: string; delivery: Delivery }): ReactNode {
  const { data = [] } = useQuery(versionsQuery(useApi(), app, delivery));
  return (
    <Section title={words.versions} description={words.versionsAbout}>
      <Stack gap="md" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {data.toReversed().map(({ version, title, body, scheduled_at, replaced_at, replaced_by }) => (
          <li key={version}>
            <Text size="sm" c="dimmed">
              {words.replaced(formatTime(replaced_at), replaced_by)}
            </Text>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {body}
            </Text>
            {scheduled_at !== null && <Text size="sm">{words.wasFor(formatTime(scheduled_at))}</Text>}
          </li>
        ))}
      </Stack>
    </Section>
  );
}
