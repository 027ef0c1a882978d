import { Button, Grid, Stack } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApp } from '../apps/use-app.ts';
import { NotificationPreview } from '../compose/preview/preview.tsx';
import { Loaded } from '../shell/loading.tsx';
import { Page } from '../shell/page.tsx';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import { Badges } from './badges.tsx';
import { CancelButton } from './cancel-button.tsx';
import { FunnelSection } from './funnel-section.tsx';
import { OptionsSection } from './options-section.tsx';
import { ProgressSection } from './progress-section.tsx';
import type { Delivery } from './queries.ts';
import { ServicesSection } from './services-section.tsx';
import { isCancellable } from './status.ts';
import { TimelineSection } from './timeline-section.tsx';
import { TraceSection } from './trace-section.tsx';
import { useDelivery } from './use-delivery.ts';

const words = t.delivery;

/** One delivery: before, while and after it is sent. */
export function DeliveryPage(): ReactNode {
  const app = useApp();
  const { delivery: id } = useParams({ from: '/in/apps/$app/deliveries/$delivery' });
  const { query, live } = useDelivery(app.identifier, id);
  const { data } = query;
  return (
    <Page
      title={data?.name ?? t.nav.deliveries}
      crumbs={[{ label: t.nav.deliveries, to: '/apps/$app/deliveries', params: { app: app.identifier } }]}
      description={data && <Badges delivery={data} />}
      actions={data && <Actions app={app.identifier} delivery={data} />}
    >
      <Loaded query={query}>
        {(delivery) => (
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Stack gap="lg">
                <ProgressSection delivery={delivery} live={live} />
                {!delivery.rehearsal && delivery.started_at !== null && <FunnelSection delivery={delivery} />}
                <ServicesSection delivery={delivery} />
                {delivery.started_at !== null && <TraceSection app={app.identifier} delivery={id} />}
                <OptionsSection delivery={delivery} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Stack gap="lg">
                <Section title={words.preview}>
                  <NotificationPreview site={app.site_domain} content={contentOf(delivery)} />
                </Section>
                <TimelineSection delivery={delivery} />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </Page>
  );
}

const contentOf = ({ title, body, image_url, action_buttons }: Delivery) => ({
  title,
  body,
  image: image_url,
  buttons: action_buttons.map((button) => button.title),
});

const Actions = ({ app, delivery }: { app: string; delivery: Delivery }): ReactNode => (
  <>
    {isCancellable(delivery) && <CancelButton app={app} delivery={delivery} />}
    <Button
      variant={delivery.rehearsal && !isCancellable(delivery) ? 'filled' : 'default'}
      leftSection={<IconCopy size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link to="/apps/$app/compose" params={{ app }} search={{ from: delivery.id }} {...props} />
      )}
    >
      {delivery.rehearsal ? words.sendForReal : words.duplicate}
    </Button>
  </>
);
