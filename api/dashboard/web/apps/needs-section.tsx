import { Alert, Anchor, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lastDays } from '../analytics/period.ts';
import { servicesQuery } from '../analytics/queries.ts';
import { useApi } from '../http/services.tsx';
import { formatNumber } from '../shell/format.ts';
import { t } from '../texts/t.ts';
import { type Need, needsOf } from './needs.ts';
import { recentQuery } from './overview-queries.ts';
import { useApp } from './use-app.ts';

const words = t.overview.needs;
const DAYS = 2;

/** What somebody has to look at; nothing where all is well. */
export function NeedsSection(): ReactNode {
  const { identifier } = useApp();
  const api = useApi();
  const recent = useQuery(recentQuery(api, identifier)).data?.data ?? [];
  const services = useQuery(servicesQuery(api, identifier, lastDays(DAYS))).data?.push_services ?? [];
  const needs = needsOf(recent, services, Date.now());
  if (needs.length === 0) return null;
  return (
    <Alert color="yellow" title={words.title} icon={<IconAlertTriangle aria-hidden />}>
      <List spacing={4} listStyleType="none">
        {needs.map((need) => (
          <List.Item key={`${need.kind} ${'delivery' in need ? need.delivery.id : need.service}`}>
            <Words need={need} app={identifier} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Words({ need, app }: { need: Need; app: string }): ReactNode {
  if (need.kind === 'service' || need.kind === 'throttled') {
    const service = t.delivery.serviceNames[need.service];
    return (
      <>
        {need.kind === 'service'
          ? words.service(service, formatNumber(need.failed))
          : words.throttled(service, need.times, formatNumber(need.times))}{' '}
        <Anchor
          underline="always"
          c="inherit"
          renderRoot={(props) => <Link to="/apps/$app/analytics" params={{ app }} {...props} />}
        >
          {t.nav.analytics}
        </Anchor>
      </>
    );
  }
  const { delivery, kind } = need;
  return (
    <>
      <Anchor
        underline="always"
        c="inherit"
        fw={600}
        renderRoot={(props) => (
          <Link
            to="/apps/$app/deliveries/$delivery"
            params={{ app, delivery: String(delivery.id) }}
            {...props}
          />
        )}
      >
        {delivery.title}
      </Anchor>{' '}
      {words[kind]}
    </>
  );
}
