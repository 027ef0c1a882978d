import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { useApp } from '../data/apps/use-app.ts';
import { bodyOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { type Subscriber, subscriberQuery, subscribersKey } from '../data/subscribers/queries.ts';
import { countryName } from '../format/countries.ts';
import { formatAgo, formatNumber, formatShare, formatTime } from '../format/format.ts';
import { lazyPart } from '../frame/lazy-part.tsx';
import { languageName } from '../notification/languages/language-names.ts';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Facts } from '../ui/facts.tsx';
import { Figures } from '../ui/figures.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';
import { History } from './history.tsx';
import { SamePerson } from './same-person.tsx';
import { TagsEditor } from './tags-editor.tsx';

const UseForTests = lazyPart(() => import('./use-for-tests.tsx'));

const words = t.subscriber;

export function SubscriberPage(): ReactNode {
  const app = useApp();
  const { subscriber: id } = useParams({ from: '/in/apps/$app/subscribers/$subscriber' });
  const query = useQuery(subscriberQuery(useApi(), app.identifier, id));
  const params = { app: app.identifier };
  return (
    <Page
      title={t.subscribers.nameOf(Number(id))}
      crumbs={[
        { label: app.name, to: '/apps/$app', params },
        { label: t.nav.subscribers, to: '/apps/$app/subscribers', params },
      ]}
    >
      <Loaded query={query}>
        {(subscriber) => (
          <>
            <Numbers subscriber={subscriber} />
            <Section title={words.facts}>
              <Facts facts={factsOf(subscriber)} />
            </Section>
            <SamePerson app={app.identifier} subscriber={String(subscriber.id)} />
            <ForRole least="approver">
              <TagsEditor app={app.identifier} subscriber={subscriber} />
            </ForRole>
            <History app={app.identifier} subscriber={subscriber} />
            <Suspense>
              <ForRole least="approver">
                <UseForTests app={app.identifier} subscriber={subscriber.id} />
              </ForRole>
            </Suspense>
            <ForRole least="approver">
              <Remove app={app.identifier} subscriber={subscriber} />
            </ForRole>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Numbers = ({ subscriber }: { subscriber: Subscriber }): ReactNode => (
  <Figures
    label={words.figures}
    figures={[
      { label: t.subscribers.sent, value: formatNumber(subscriber.notifications_sent) },
      { label: t.subscribers.clicked, value: formatNumber(subscriber.notifications_clicked) },
      {
        label: t.subscribers.clickRate,
        value: formatShare(subscriber.notifications_clicked, subscriber.notifications_sent),
      },
      { label: words.lastClicked, value: formatAgo(subscriber.last_clicked_at) },
    ]}
  />
);

const versioned = (name: string | null, version: string | null): string =>
  name === null ? t.subscribers.unknown : version === null ? name : `${name} ${version}`;

function factsOf(subscriber: Subscriber): (readonly [string, ReactNode])[] {
  const { status, country, device_type: device } = subscriber;
  const isIn = status === 'subscribed';
  return [
    [
      words.status,
      <Badge key="status" color={isIn ? 'teal' : 'gray'}>
        {t.subscribers.statuses[status]}
      </Badge>,
    ],
    [words.number, String(subscriber.id)],
    [words.identity, subscriber.user_identity ?? t.none],
    [words.country, country === null ? t.subscribers.unknown : countryName(country)],
    [words.timeZone, subscriber.time_zone ?? t.subscribers.unknown],
    [
      t.nav.language,
      subscriber.language === null ? t.subscribers.unknown : languageName(subscriber.language),
    ],
    [words.device, device === null ? t.subscribers.unknown : (t.subscribers.devices[device] ?? device)],
    [words.browser, versioned(subscriber.browser_name, subscriber.browser_version)],
    [words.system, versioned(subscriber.os_name, subscriber.os_version)],
    ...wishesOf(subscriber),
    [words.subscribed, formatTime(subscriber.created_at)],
    [words.lastSeen, formatTime(subscriber.last_seen_at)],
    [words.lastClicked, formatTime(subscriber.last_clicked_at)],
    ...(isIn ? [] : [[words.unsubscribed, formatTime(subscriber.unsubscribed_at)] as const]),
  ];
}

/** What the reader chose in the preference centre: a line for each, most have none. */
function wishesOf({ preferences }: Subscriber): (readonly [string, ReactNode])[] {
  const { fewer, paused_until: until, quiet_hours: quiet } = preferences;
  const wishes = [
    ...(fewer === null ? [] : [words.fewer(fewer.max_notifications, fewer.window_minutes / 1_440)]),
    ...(until === null ? [] : [words.pausedUntil(formatTime(until))]),
    ...(quiet === null ? [] : [words.quietHours(quiet.from, quiet.to)]),
  ];
  return wishes.length === 0 ? [] : [[words.wishes, wishes.join(' · ')]];
}

function Remove({ app, subscriber: { id } }: { app: string; subscriber: Subscriber }): ReactNode {
  const [asked, setAsked] = useState(false);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      bodyOf(
        api.DELETE('/api/v1/client/apps/{identifier}/subscriptions/{subscription_id}', {
          params: { path: { identifier: app, subscription_id: String(id) } },
        }),
      ),
    onSuccess: async () => {
      toastDone(words.removed);
      await navigate({ to: '/apps/$app/subscribers', params: { app } });
      queries.removeQueries({ queryKey: [...subscribersKey(app), 'one', String(id)] });
      await queries.invalidateQueries({ queryKey: subscribersKey(app) });
    },
    onError: toastProblem,
  });
  return (
    <Section title={words.remove} danger>
      <Group justify="space-between">
        <Text size="sm" maw="34rem">
          {words.removeAbout}
        </Text>
        <Button variant="outline" color="red" onClick={() => setAsked(true)}>
          {words.remove}
        </Button>
      </Group>
      <Confirm
        opened={asked}
        onClose={() => setAsked(false)}
        title={words.removeTitle(id)}
        act={t.actions.delete}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {words.removeText}
      </Confirm>
    </Section>
  );
}
