import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isOpen } from '../campaigns/status.ts';
import { useApi } from '../http/services.tsx';
import { Pages } from '../shell/data-table.tsx';
import { Lines } from '../shell/loading.tsx';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import { DraftCard } from './draft-card.tsx';
import { draftsQuery } from './queries.ts';
import type { Feed } from './resource.ts';

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
