import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../data/apps/use-app.ts';
import { createFeed } from '../../data/campaigns/feeds/queries.ts';
import type { FeedPlan } from '../../data/campaigns/feeds/resource.ts';
import { campaignQuery } from '../../data/campaigns/queries.ts';
import { useApi } from '../../data/http/services.tsx';
import { createSendKeys } from '../../notification/send-keys.ts';
import { t } from '../../texts/t.ts';
import { Loaded } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { FeedForm } from './feed-form.tsx';
import { useSaveFeed } from './use-save-feed.ts';
import { bodyOfFeed, emptyFeed, type FeedValues, valuesOfFeed } from './values.ts';

const words = t.feeds;

/** A new feed: from nothing, or like another one. */
export function NewFeedPage(): ReactNode {
  const { like } = useSearch({ from: '/in/apps/$app/feeds/new' });
  const { identifier: app } = useApp();
  return (
    <Page
      title={words.newTitle}
      description={words.description}
      crumbs={[{ label: t.nav.campaigns, to: '/apps/$app/campaigns', params: { app } }]}
    >
      {like === undefined ? <NewForm initial={emptyFeed} /> : <Like key={like} id={String(like)} />}
    </Page>
  );
}

function Like({ id }: { id: string }): ReactNode {
  const { identifier, time_zone } = useApp();
  const query = useQuery({ ...campaignQuery(useApi(), identifier, id), refetchInterval: false });
  return (
    <Loaded query={query}>
      {(feed) => <NewForm initial={valuesOfFeed(feed, feed.plan as unknown as FeedPlan, time_zone)} />}
    </Loaded>
  );
}

function NewForm({ initial }: { initial: FeedValues }): ReactNode {
  const { identifier, time_zone } = useApp();
  const api = useApi();
  const save = useSaveFeed(words.started);
  const [keys] = useState(createSendKeys);
  return (
    <FeedForm
      initial={initial}
      act={words.start}
      onSave={(values) => {
        const body = bodyOfFeed(values, time_zone, null);
        return save(createFeed(api, identifier, body, keys.keyFor(body)));
      }}
    />
  );
}
