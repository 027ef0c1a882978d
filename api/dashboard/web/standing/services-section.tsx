import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Standing } from '../data/standing/queries.ts';
import { sentenceOf } from '../parts/limit-note.tsx';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';

const words = t.standing;

/** Each push service, how it treats the app now. */
export const ServicesSection = ({ standing }: { standing: Standing }): ReactNode => (
  <Section title={words.now} description={words.nowAbout}>
    <Stack gap="xs" component="ul" m={0} p={0}>
      {standing.push_services.map(({ push_service: service, standing: state, limit }) => (
        <Group key={service} component="li" gap="sm" align="baseline" style={{ listStyle: 'none' }}>
          <Text fw={600} size="sm" miw={90}>
            {words.services[service]}
          </Text>
          <Badge color={state === 'limited' ? 'yellow' : 'teal'}>{words.states[state]}</Badge>
          {limit !== null && <Text size="sm">{sentenceOf(limit)}</Text>}
        </Group>
      ))}
    </Stack>
  </Section>
);
