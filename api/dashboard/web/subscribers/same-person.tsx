import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../data/http/services.tsx';
import { samePersonQuery } from '../data/subscribers/queries.ts';
import { formatAgo } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';

const words = t.subscriber;

/** The person's other browsers, where there are any. */
export function SamePerson({ app, subscriber }: { app: string; subscriber: string }): ReactNode {
  const { data: others = [] } = useQuery(samePersonQuery(useApi(), app, subscriber));
  if (others.length === 0) return null;
  return (
    <Section title={words.samePerson}>
      <Stack gap="xs">
        {others.map(({ id, browser_name: browser, os_name: system, status, last_seen_at: seen }) => (
          <Group key={id} gap="md">
            <Anchor
              renderRoot={(props) => (
                <Link
                  to="/apps/$app/subscribers/$subscriber"
                  params={{ app, subscriber: String(id) }}
                  {...props}
                />
              )}
            >
              {t.subscribers.nameOf(id)}
            </Anchor>
            <Text size="sm">
              {t.subscribers.onSystem(browser ?? t.subscribers.unknown, system ?? t.subscribers.unknown)}
            </Text>
            <Text size="sm" c="dimmed">
              {t.subscribers.statuses[status]}, {formatAgo(seen)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
