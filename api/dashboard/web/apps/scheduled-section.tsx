import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { deliveriesQuery } from '../deliveries/queries.ts';
import { useApi } from '../http/services.tsx';
import { formatTime } from '../shell/format.ts';
import { Loaded } from '../shell/loading.tsx';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import { useApp } from './use-app.ts';

const words = t.overview;

/** What goes out by itself, the next one first. */
export function ScheduledSection(): ReactNode {
  const { identifier: app } = useApp();
  const query = useQuery(deliveriesQuery(useApi(), app, { status: 'scheduled' }));
  return (
    <Section title={words.scheduled}>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.scheduledNone}
            </Text>
          ) : (
            <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {data
                .toSorted((a, b) => Date.parse(a.scheduled_at ?? '') - Date.parse(b.scheduled_at ?? ''))
                .map(({ id, title, scheduled_at }) => (
                  <Group key={id} component="li" justify="space-between" gap="xs">
                    <Anchor
                      renderRoot={(props) => (
                        <Link
                          to="/apps/$app/deliveries/$delivery"
                          params={{ app, delivery: String(id) }}
                          {...props}
                        />
                      )}
                    >
                      {title}
                    </Anchor>
                    <Text size="sm" c="dimmed">
                      {formatTime(scheduled_at)}
                    </Text>
                  </Group>
                ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}
