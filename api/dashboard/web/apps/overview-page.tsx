import { Anchor, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badges } from '../deliveries/badges.tsx';
import { useApi } from '../http/services.tsx';
import { Figure } from '../shell/figure.tsx';
import { formatAgo, formatNumber, formatPercent } from '../shell/format.ts';
import { Loaded } from '../shell/loading.tsx';
import { Page } from '../shell/page.tsx';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import { CheckList } from './check-list.tsx';
import { type Check, checksOf } from './checks.ts';
import { keysQuery, type LastDelivery, lastDeliveryQuery } from './overview-queries.ts';
import { appQuery } from './queries.ts';
import { useApp } from './use-app.ts';

/** A look at the app while one waits for the first subscriber is worth more often than the usual. */
const LOOK_AGAIN_MS = 5_000;

export function OverviewPage(): ReactNode {
  const app = useApp();
  const api = useApi();
  const waiting = app.subscriber_count === 0;
  useQuery({ ...appQuery(api, app.identifier), refetchInterval: waiting ? LOOK_AGAIN_MS : false });
  return (
    <Page
      title={app.name}
      description={
        <Anchor href={app.site_domain} target="_blank" rel="noreferrer">
          {app.site_domain}
        </Anchor>
      }
      actions={
        !waiting && (
          <Button
            renderRoot={(props) => (
              <Link
                to={'/apps/$app/compose' as string}
                params={{ app: app.identifier } as never}
                {...props}
              />
            )}
          >
            {t.overview.compose}
          </Button>
        )
      }
    >
      <Figures />
      <LastSent />
      <Setup />
    </Page>
  );
}

function Figures(): ReactNode {
  const { active_subscriber_count: active, subscriber_count: all } = useApp();
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <Figure label={t.overview.active} value={formatNumber(active)} hint={t.overview.activeHint} />
      <Figure label={t.overview.all} value={formatNumber(all)} hint={t.overview.allHint} />
      <Figure
        label={t.overview.share}
        value={all === 0 ? '–' : formatPercent((100 * active) / all)}
        hint={t.overview.shareHint}
      />
    </SimpleGrid>
  );
}

/** What is left to do until notifications reach readers; when nothing is, one line. */
function Setup(): ReactNode {
  const app = useApp();
  const api = useApi();
  const keys = useQuery(keysQuery(api, app.identifier));
  const last = useQuery(lastDeliveryQuery(api, app.identifier));
  return (
    <Section title={t.checks.title} description={t.checks.hint}>
      <Loaded query={keys}>
        {(known) => (
          <Loaded query={last}>
            {(newest) => (
              <Checks checks={checksOf({ app, keys: known, last: newest })} app={app.identifier} />
            )}
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}

const Checks = ({ checks, app }: { checks: readonly Check[]; app: string }): ReactNode =>
  checks.every(({ state }) => state === 'done') ? (
    <Text>{t.checks.allDone}</Text>
  ) : (
    <CheckList checks={checks} app={app} />
  );

function LastSent(): ReactNode {
  const { identifier } = useApp();
  const { data } = useQuery(lastDeliveryQuery(useApi(), identifier));
  if (data === null || data === undefined) return null;
  return (
    <Section title={t.overview.last}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Anchor
            fw={600}
            renderRoot={(props) => (
              <Link
                to={'/apps/$app/deliveries/$delivery' as string}
                params={{ app: identifier, delivery: String(data.id) } as never}
                {...props}
              />
            )}
          >
            {data.title}
          </Anchor>
          <Text size="sm" c="dimmed">
            {formatAgo(data.created_at)} · {sentWords(data)}
          </Text>
        </div>
        <Badges delivery={data} />
      </Group>
    </Section>
  );
}

const sentWords = ({ success_count, click_rate }: LastDelivery): string =>
  t.overview.sent(formatNumber(success_count), formatPercent(click_rate));
