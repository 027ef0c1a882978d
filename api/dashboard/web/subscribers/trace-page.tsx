import { Alert, Anchor, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { deliveryQuery } from '../data/deliveries/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { type Trace, traceQuery } from '../data/subscribers/queries.ts';
import { formatNumber, formatTime } from '../format/format.ts';
import { Decision } from '../parts/decision.tsx';
import { DeliveryLink } from '../parts/delivery-link.tsx';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';

const words = t.trace;

/** Why one subscriber got one delivery, or did not. */
export function TracePage(): ReactNode {
  const app = useApp();
  const from = '/in/apps/$app/subscribers/$subscriber/deliveries/$delivery';
  const { subscriber, delivery } = useParams({ from });
  const api = useApi();
  const trace = useQuery(traceQuery(api, app.identifier, subscriber, delivery));
  const sent = useQuery({ ...deliveryQuery(api, app.identifier, delivery), refetchInterval: false });
  const isRehearsal = sent.data?.rehearsal ?? false;
  const isRehearsed = isRehearsal && trace.data?.decision === 'accepted';
  const params = { app: app.identifier, subscriber };
  const name = t.subscribers.nameOf(Number(subscriber));
  return (
    <Page
      title={words.title}
      width="narrow"
      crumbs={[
        { label: t.nav.subscribers, to: '/apps/$app/subscribers', params },
        { label: name, to: '/apps/$app/subscribers/$subscriber', params },
      ]}
    >
      <Loaded query={trace}>
        {(found) => (
          <>
            <Section
              title={isRehearsed ? words.rehearsed : words.decisions[found.decision]}
              description={isRehearsed ? words.rehearsedAbout : words.explained[found.decision]}
            >
              <Facts
                facts={[
                  [
                    words.delivery,
                    <DeliveryLink
                      key="delivery"
                      app={app.identifier}
                      id={found.delivery_id}
                      name={sent.data?.name ?? delivery}
                    />,
                  ],
                  [words.subscriber, name],
                  [t.subscriber.outcome, <Decision key="decision" trace={found} rehearsal={isRehearsal} />],
                ]}
              />
              <Alert color="gray" title={words.detail}>
                {found.reason}
                {found.retry_at !== null && ` ${words.retryAt(formatTime(found.retry_at))}`}
                {found.tried_until !== null && ` ${words.triedUntil(formatTime(found.tried_until))}`}
              </Alert>
            </Section>
            {found.capped_by.length > 0 && <CappedBy app={app.identifier} trace={found} />}
            <Attempts trace={found} />
            {found.same_person.length > 0 && <SamePerson app={app.identifier} trace={found} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const CappedBy = ({ app, trace }: { app: string; trace: Trace }): ReactNode => (
  <Section title={words.cappedBy} description={words.cappedByAbout}>
    <List>
      {trace.capped_by.map(({ delivery_id, name, started_at }) => (
        <List.Item key={delivery_id}>
          <DeliveryLink app={app} id={delivery_id} name={name} />{' '}
          <Text span size="sm" c="dimmed">
            {formatTime(started_at)}
          </Text>
        </List.Item>
      ))}
    </List>
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/apps/$app/settings" params={{ app }} search={{ tab: 'limits' }} {...props} />
      )}
    >
      {words.capSetting}
    </Anchor>
  </Section>
);

/** The results of the same delivery for the person's other browsers, each of which leads to its own page. */
const SamePerson = ({ app, trace }: { app: string; trace: Trace }): ReactNode => (
  <Section title={t.subscriber.samePerson} description={words.samePersonAbout}>
    <Stack gap="xs">
      {trace.same_person.map(({ subscription_id, decision }) => (
        <Group key={subscription_id} gap="md">
          <Anchor
            renderRoot={(props) => (
              <Link
                to="/apps/$app/subscribers/$subscriber/deliveries/$delivery"
                params={{
                  app,
                  subscriber: String(subscription_id),
                  delivery: String(trace.delivery_id),
                }}
                {...props}
              />
            )}
          >
            {t.subscribers.nameOf(subscription_id)}
          </Anchor>
          <Decision trace={{ decision }} />
        </Group>
      ))}
    </Stack>
  </Section>
);

type Attempt = Trace['attempts'][number];

const columns: readonly Column<Attempt>[] = [
  { key: 'attempt', header: words.attempt, numeric: true, cell: ({ attempt }) => formatNumber(attempt) },
  { key: 'at', header: words.at, time: true, cell: ({ at }) => formatTime(at) },
  {
    key: 'ended',
    header: words.ended,
    names: true,
    cell: ({ outcome, may_have_arrived }) => (
      <Stack gap={0}>
        {words.outcomes[outcome] ?? outcome}
        {may_have_arrived && (
          <Text size="xs" c="dimmed">
            {words.mayHaveArrived}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: 'service',
    header: words.service,
    cell: ({ push_service }) =>
      push_service === null ? t.none : (words.services[push_service] ?? push_service),
  },
  {
    key: 'status',
    header: words.status,
    cell: ({ http_status }) => http_status ?? words.noAnswer,
  },
  {
    key: 'latency',
    header: words.latency,
    numeric: true,
    cell: ({ latency_ms }) => words.milliseconds(formatNumber(latency_ms)),
  },
];

const Attempts = ({ trace }: { trace: Trace }): ReactNode => (
  <Section title={words.attempts} description={words.attemptsAbout}>
    {trace.attempts.length > 0 ? (
      <DataTable
        label={words.attempts}
        columns={columns}
        rows={trace.attempts}
        keyOf={({ attempt, at }) => `${attempt} ${at}`}
      />
    ) : (
      <Text size="sm">{trace.attempts_known ? words.attemptsNone : words.attemptsUnknown}</Text>
    )}
  </Section>
);
