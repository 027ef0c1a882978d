import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../data/apps/use-app.ts';
import { changeFeed } from '../../data/campaigns/feeds/queries.ts';
import type { Feed, FeedPlan } from '../../data/campaigns/feeds/resource.ts';
import { campaignQuery } from '../../data/campaigns/queries.ts';
import { useApi } from '../../data/http/services.tsx';
import { t } from '../../texts/t.ts';
import { Loaded } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { FeedForm } from './feed-form.tsx';
import { useSaveFeed } from './use-save-feed.ts';
import { bodyOfFeed, valuesOfFeed } from './values.ts';

const words = t.feeds;

/** A feed is changed while it runs. */
export function ChangeFeedPage(): ReactNode {
  const { identifier: app } = useApp();
  const { campaign } = useParams({ from: '/in/apps/$app/feeds/$campaign' });
  const query = useQuery({ ...campaignQuery(useApi(), app, campaign), refetchInterval: false });
  return (
    <Page
      title={words.changeTitle}
      description={words.changeAbout}
      crumbs={[
        { label: t.nav.campaigns, to: '/apps/$app/campaigns', params: { app } },
        ...(query.data === undefined
          ? []
          : [
              {
                label: query.data.name,
                to: '/apps/$app/campaigns/$campaign' as const,
                params: { app, campaign },
              },
            ]),
      ]}
    >
      <Loaded query={query}>{(feed) => <ChangeForm key={feed.id} given={feed} />}</Loaded>
    </Page>
  );
}

function ChangeForm({ given }: { given: Feed }): ReactNode {
  const { identifier, time_zone } = useApp();
  const api = useApi();
  const save = useSaveFeed(words.saved);
  // As it was when the form was opened: the engine changes the feed's state meanwhile.
  const [feed] = useState(given);
  return (
    <FeedForm
      initial={valuesOfFeed(feed, feed.plan as unknown as FeedPlan, time_zone)}
      act={t.actions.save}
      onSave={(values) => save(changeFeed(api, identifier, feed.id, bodyOfFeed(values, time_zone, feed)))}
    />
  );
}
