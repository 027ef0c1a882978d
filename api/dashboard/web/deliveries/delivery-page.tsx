import { Button, Grid, Group, Stack } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense, useCallback } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { useMayWrite } from '../data/approvals/use-may-write.ts';
import { useApp } from '../data/apps/use-app.ts';
import type { Delivery } from '../data/deliveries/queries.ts';
import { isCancellable, isCorrectable, isHeld } from '../data/deliveries/status.ts';
import { lazyPart } from '../frame/lazy-part.tsx';
import { usePageAct } from '../frame/use-page-act.ts';
import { directionOf } from '../notification/preview/direction.ts';
import { NotificationPreview } from '../notification/preview/preview.tsx';
import { withoutTags } from '../notification/preview/without-tags.ts';
import { ApprovalNote } from '../parts/approval-note.tsx';
import { CampaignLink } from '../parts/campaign-link.tsx';
import { Badges } from '../parts/delivery-badges.tsx';
import { t } from '../texts/t.ts';
import { IconCopy } from '../ui/icons.ts';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { CancelButton } from './cancel-button.tsx';
import { ChangeButtons } from './change-button.tsx';
import { CorrectButton } from './correct-button.tsx';
import { CorrectionNote } from './correction-note.tsx';
import { FailuresSection } from './failures-section.tsx';
import { FunnelSection } from './funnel-section.tsx';
import { OptionsSection } from './options-section.tsx';
import { ProgressSection } from './progress-section.tsx';
import { ServicesSection } from './services-section.tsx';
import { TextsSection } from './texts-section.tsx';
import { TimelineSection } from './timeline-section.tsx';
import { TraceSection } from './trace-section.tsx';
import { useDelivery } from './use-delivery.ts';
import { VersionsSection } from './versions-section.tsx';

const ClicksSection = lazyPart(() => import('./clicks-section.tsx'));

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
      description={data && <Marks app={app.identifier} delivery={data} />}
      actions={data && <Actions app={app.identifier} delivery={data} />}
    >
      <Loaded query={query}>
        {(delivery) => (
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Stack gap="lg">
                <WhatCame app={app.identifier} delivery={delivery} live={live} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Stack gap="lg">
                <WhatWasSent app={app} delivery={delivery} />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </Page>
  );
}

interface WhatCameProps {
  readonly app: string;
  readonly delivery: Delivery;
  readonly live: boolean;
}

/** How far it is, and what came of it. */
const WhatCame = ({ app, delivery, live }: WhatCameProps): ReactNode => (
  <>
    <CorrectionNote app={app} delivery={delivery} />
    <ApprovalNote subject={subjectOf(delivery)} waits={isHeld(delivery)} />
    {!isHeld(delivery) && <ProgressSection app={app} delivery={delivery} live={live} />}
    {!delivery.rehearsal && delivery.started_at !== null && (
      <>
        <FunnelSection app={app} delivery={delivery} />
        <Suspense>
          <ClicksSection app={app} delivery={delivery.id} />
        </Suspense>
      </>
    )}
    <FailuresSection app={app} delivery={delivery} />
    <ServicesSection delivery={delivery} />
    {delivery.started_at !== null && (
      <TraceSection app={app} delivery={String(delivery.id)} rehearsal={delivery.rehearsal} />
    )}
    <OptionsSection delivery={delivery} />
  </>
);

interface WhatWasSentProps {
  readonly app: ReturnType<typeof useApp>;
  readonly delivery: Delivery;
}

/** What readers see, and what was done to it. */
const WhatWasSent = ({ app, delivery }: WhatWasSentProps): ReactNode => (
  <>
    <Section title={words.preview}>
      <NotificationPreview app={app} content={contentOf(delivery)} />
    </Section>
    <TextsSection delivery={delivery} />
    <TimelineSection delivery={delivery} />
    {delivery.changes > 0 && <VersionsSection app={app.identifier} delivery={delivery} />}
  </>
);

const subjectOf = ({ id, changes, approval }: Delivery) =>
  ({ kind: 'delivery', id, version: changes, approval }) as const;

/** Its badges, and the campaign that created it. */
const Marks = ({ app, delivery }: { app: string; delivery: Delivery }): ReactNode => (
  <Group gap="sm">
    <Badges delivery={delivery} />
    {delivery.campaign_id !== null && <CampaignLink app={app} campaign={delivery.campaign_id} />}
  </Group>
);

const contentOf = ({ title, body, image_url, icon_url, language, action_buttons }: Delivery) => ({
  title: withoutTags(title),
  body: withoutTags(body),
  image: image_url,
  icon: icon_url,
  dir: directionOf(language ?? ''),
  buttons: action_buttons.map((button) => button.title),
});

function Actions({ app, delivery }: { app: string; delivery: Delivery }): ReactNode {
  const navigate = useNavigate();
  const { id } = delivery;
  const mayWrite = useMayWrite(delivery.approval);
  const duplicate = useCallback(
    () => void navigate({ to: '/apps/$app/compose', params: { app }, search: { from: id } }),
    [navigate, app, id],
  );
  usePageAct(words.duplicateThis, duplicate);
  return (
    <>
      {(delivery.status === 'scheduled' || isHeld(delivery)) && mayWrite && (
        <ChangeButtons app={app} delivery={delivery} />
      )}
      {isCorrectable(delivery) && (
        <ForRole least="approver">
          <CorrectButton app={app} delivery={delivery} />
        </ForRole>
      )}
      <ForRole least="author">
        <Button
          variant={delivery.rehearsal && !isCancellable(delivery) ? 'filled' : 'default'}
          leftSection={<IconCopy size={16} aria-hidden />}
          renderRoot={(props) => (
            <Link to="/apps/$app/compose" params={{ app }} search={{ from: id }} {...props} />
          )}
        >
          {delivery.rehearsal ? words.sendForReal : words.duplicate}
        </Button>
      </ForRole>
      {/* At the end, as of a campaign. */}
      {isCancellable(delivery) && mayWrite && <CancelButton app={app} delivery={delivery} />}
    </>
  );
}
