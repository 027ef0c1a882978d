import { Alert, Loader, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { App } from '../../data/apps/queries.ts';
import { feedPreviewQuery } from '../../data/campaigns/feeds/queries.ts';
import type { FeedForecast } from '../../data/campaigns/feeds/resource.ts';
import { Problem, wordsOf } from '../../data/http/problem.ts';
import { useApi } from '../../data/http/services.tsx';
import { isScheduled } from '../../notification/campaign.ts';
import { NotificationPreview } from '../../notification/preview/preview.tsx';
import { addressError } from '../../notification/rules.ts';
import { addressOf } from '../../notification/values.ts';
import { t } from '../../texts/t.ts';
import { Section } from '../../ui/section.tsx';
import { type FeedValues, planOfFeed } from './values.ts';

const words = t.feeds;
/** One look for each address that is typed, not for each letter. */
const SETTLED_MS = 700;

interface Props {
  readonly app: App;
  readonly values: FeedValues;
}

/** The feed's newest item as it would be sent, or why the feed cannot be read. */
export function PreviewSection({ app, values }: Props): ReactNode {
  const asked =
    addressError(values.url) === null && (values.when === 'items' || isScheduled(values))
      ? JSON.stringify(planOfFeed(values, app.time_zone))
      : null;
  const [settled] = useDebouncedValue(asked, SETTLED_MS);
  const query = useQuery(
    feedPreviewQuery(useApi(), app.identifier, settled === null ? null : JSON.parse(settled)),
  );
  const feed = query.data ?? null;
  return (
    <Section title={words.preview}>
      <div role="status">
        {asked === null && <Text size="sm">{words.previewEmpty}</Text>}
        {asked !== null && (query.isFetching || asked !== settled) && (
          <Text size="sm">
            <Loader size="xs" mr="xs" aria-hidden />
            {words.reading}
          </Text>
        )}
        {asked === settled && query.isError && (
          <Alert color="orange" title={words.unreadable}>
            {reasonOf(query.error)}
          </Alert>
        )}
        {asked === settled && feed !== null && <Text size="sm">{countsInWords(feed)}</Text>}
      </div>
      {feed?.next && asked !== null && (
        <NotificationPreview
          app={app}
          content={{ ...feed.next, ...picturesOf(feed.next, values), buttons: [] }}
        />
      )}
    </Section>
  );
}

const picturesOf = (next: NonNullable<FeedForecast['next']>, { icon_url: icon }: FeedValues) => ({
  image: shownImage(next.image_url),
  icon: shownImage(next.icon_url) ?? (icon.trim() === '' ? null : shownImage(addressOf(icon))),
});

/** A page over https shows none that is not. */
const shownImage = (url: string | null): string | null => (url?.startsWith('https:') ? url : null);

/** Of the feed's address most often, otherwise of what stands beside it. */
const reasonOf = (error: unknown): string =>
  error instanceof Problem ? (Object.values(error.fields)[0] ?? wordsOf(error)) : wordsOf(error);

function countsInWords({ title, items, matching }: FeedForecast): string {
  const name = title ?? words.feed;
  if (items === 0) return words.noItems(name);
  return items === matching ? words.items(name, items) : words.itemsMatching(name, items, matching);
}
