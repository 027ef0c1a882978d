import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { newestCampaignsQuery } from '../data/apps/overview-queries.ts';
import { useApp } from '../data/apps/use-app.ts';
import { isOpen } from '../data/campaigns/status.ts';
import { timesInWords } from '../data/campaigns/times-in-words.ts';
import { deliveriesQuery } from '../data/deliveries/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Loaded } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

const words = t.overview;

interface Planned {
  readonly key: string;
  readonly title: string;
  readonly at: string;
  /** As people read it. */
  readonly when: string;
  readonly link: Pick<LinkProps, 'to' | 'params'>;
}

/** What goes out by itself, the next one first. */
export function ScheduledSection(): ReactNode {
  const { identifier: app } = useApp();
  const query = useQuery(deliveriesQuery(useApi(), app, { status: 'scheduled' }));
  const campaigns = useCampaignsToCome(app);
  return (
    <Section title={words.scheduled}>
      <Loaded query={query}>
        {({ data }) => {
          const planned = [...data.map((each) => plannedOf(app, each)), ...campaigns];
          return planned.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.scheduledNone}
            </Text>
          ) : (
            <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {planned
                .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
                .map(({ key, title, when, link }) => (
                  <Group key={key} component="li" justify="space-between" gap="xs">
                    <Anchor renderRoot={(props) => <Link {...link} {...props} />}>{title}</Anchor>
                    <Text size="sm" c="dimmed">
                      {when}
                    </Text>
                  </Group>
                ))}
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}

const plannedOf = (
  app: string,
  {
    id,
    title,
    scheduled_at,
  }: { readonly id: number; readonly title: string; readonly scheduled_at: string | null },
): Planned => ({
  key: `delivery ${id}`,
  title,
  at: scheduled_at ?? '',
  when: formatTime(scheduled_at),
  link: { to: '/apps/$app/deliveries/$delivery', params: { app, delivery: String(id) } },
});

/** Their next step is a time; a feed is only checked then. */
function useCampaignsToCome(app: string): readonly Planned[] {
  const { data } = useQuery(newestCampaignsQuery(useApi(), app));
  return (data?.data ?? []).flatMap((campaign) => {
    const { id, name, kind, next_step_at: at } = campaign;
    if (!isOpen(campaign) || kind === 'feed' || at === null) return [];
    const link = { to: '/apps/$app/campaigns/$campaign', params: { app, campaign: String(id) } } as const;
    const first = campaign.reader_times?.first_at ?? at;
    return [{ key: `campaign ${id}`, title: name, at: first, when: timesInWords(campaign, at), link }];
  });
}
