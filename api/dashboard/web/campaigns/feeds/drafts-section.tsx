import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { draftsQuery } from '../../data/campaigns/feeds/queries.ts';
import type { Feed } from '../../data/campaigns/feeds/resource.ts';
import { isOpen } from '../../data/campaigns/status.ts';
import { useApi } from '../../data/http/services.tsx';
import { t } from '../../texts/t.ts';
import { Pages } from '../../ui/data-table.tsx';
import { Lines } from '../../ui/loading.tsx';
import { Section } from '../../ui/section.tsx';
import { DraftCard } from './draft-card.tsx';

const words = t.feeds;

interface Props {
  readonly app: string;
  readonly campaign: Feed;
}

/** What waits for somebody to approve it. */
export function DraftsSection({ app, campaign }: Props): ReactNode {
  const [page, setPage] = useState(1);
  const { data, isLoading } = useQuery(draftsQuery(useApi(), app, campaign.id, page, isOpen(campaign)));
  if (isLoading)
    return (
      <Section title={words.drafts}>
        <Lines height={48} />
      </Section>
    );
  if (data === undefined) return null;
  const { total, last_page: last } = data.meta;
  // The last draft of the last page was decided.
  if (page > Math.max(1, last)) setPage(Math.max(1, last));
  return (
    <Section title={words.drafts} description={total === 0 ? words.draftsNone : words.draftsAbout(total)}>
      {total > 0 && (
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {data.data.map((item) => (
            <DraftCard key={item.id} app={app} campaign={campaign.id} item={item} />
          ))}
        </Stack>
      )}
      {last > 1 && <Pages meta={data.meta} onPage={setPage} label={words.drafts} />}
    </Section>
  );
}
