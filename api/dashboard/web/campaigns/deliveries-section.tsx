import { Anchor, Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { planOf } from '../data/campaigns/plan.ts';
import {
  againAfter,
  type Campaign,
  type CampaignDetail,
  campaignDeliveriesQuery,
  campaignsQuery,
} from '../data/campaigns/queries.ts';
import { statusColors } from '../data/campaigns/status.ts';
import { roleInWords } from '../data/campaigns/words.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber, formatTime } from '../format/format.ts';
import { Badges as DeliveryBadges } from '../parts/delivery-badges.tsx';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';

const words = t.campaign;

interface Props {
  readonly app: string;
  readonly campaign: CampaignDetail;
}

/** What the campaign has created: deliveries, or of a schedule by local time a campaign for each firing. */
export function DeliveriesSection({ app, campaign }: Props): ReactNode {
  const plan = planOf(campaign);
  return plan.kind === 'recurring' && plan.time_zone === 'reader' ? (
    <Firings app={app} campaign={campaign} />
  ) : (
    <Deliveries app={app} campaign={campaign} />
  );
}

function Deliveries({ app, campaign }: Props): ReactNode {
  const [page, setPage] = useState(1);
  const query = useQuery({
    ...campaignDeliveriesQuery(useApi(), app, campaign.id, page),
    refetchInterval: againAfter(campaign),
  });
  const title = campaign.kind === 'recurring' ? words.pastFirings : t.nav.deliveries;
  const none = (query.data?.meta.total ?? campaign.deliveries) === 0;
  return (
    <Section title={title} {...(none ? { description: words.noDeliveries } : {})}>
      {!none && (
        <DataTable
          label={title}
          columns={columnsOf(app)}
          rows={query.data?.data.map((each) => asAbove(campaign, each))}
          keyOf={({ id }) => id}
          paging={query.data && { meta: query.data.meta, onPage: setPage }}
        />
      )}
    </Section>
  );
}

type Listed = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof campaignDeliveriesQuery>['queryFn']>>>
>['data'][number];

/** Of a test, with the figures that its variants show on the same page: these are read by another question. */
function asAbove({ variants }: CampaignDetail, delivery: Listed): Listed {
  const variant = variants?.find(({ delivery_id: id }) => id === delivery.id);
  if (variant === undefined) return delivery;
  return { ...delivery, success_count: variant.accepted, click_count: variant.clicked, clicks_known: true };
}

/** Of a feed, what each one says. */
const partOf = ({ name, title, campaign_role: role }: Listed): string => {
  if (role === null) return name;
  return /^(item|summary) /.test(role) ? title : roleInWords(role);
};

const columnsOf = (app: string): readonly Column<Listed>[] => [
  {
    key: 'role',
    header: words.part,
    names: true,
    cell: (delivery) => (
      <Anchor
        renderRoot={(props) => (
          <Link
            to="/apps/$app/deliveries/$delivery"
            params={{ app, delivery: String(delivery.id) }}
            {...props}
          />
        )}
      >
        {partOf(delivery)}
      </Anchor>
    ),
  },
  { key: 'status', header: t.deliveries.status, cell: (delivery) => <DeliveryBadges delivery={delivery} /> },
  {
    key: 'audience',
    header: t.deliveries.audience,
    numeric: true,
    cell: ({ total_subscribers, started_at }) =>
      started_at === null ? '–' : formatNumber(total_subscribers),
  },
  {
    key: 'accepted',
    header: t.deliveries.accepted,
    numeric: true,
    cell: ({ success_count, started_at }) => (started_at === null ? '–' : formatNumber(success_count)),
  },
  {
    key: 'clicks',
    header: t.deliveries.clicks,
    numeric: true,
    cell: ({ click_count, clicks_known, rehearsal, started_at }) =>
      rehearsal || started_at === null || !clicks_known ? '–' : formatNumber(click_count),
  },
];

/** Each firing is a campaign by local time of its own. */
function Firings({ app, campaign }: Props): ReactNode {
  const [page, setPage] = useState(1);
  const query = useQuery({
    ...campaignsQuery(useApi(), app, { page }, campaign.id),
    refetchInterval: againAfter(campaign),
  });
  const none = (query.data?.meta.total ?? campaign.deliveries) === 0;
  return (
    <Section title={words.pastFirings} {...(none ? { description: words.noDeliveries } : {})}>
      {!none && (
        <DataTable
          label={words.pastFirings}
          columns={firingColumns(app)}
          rows={query.data?.data}
          keyOf={({ id }) => id}
          paging={query.data && { meta: query.data.meta, onPage: setPage }}
        />
      )}
    </Section>
  );
}

const firingColumns = (app: string): readonly Column<Campaign>[] => [
  {
    key: 'name',
    header: t.campaigns.name,
    names: true,
    cell: ({ id, name }) => (
      <Anchor
        renderRoot={(props) => (
          <Link to="/apps/$app/campaigns/$campaign" params={{ app, campaign: String(id) }} {...props} />
        )}
      >
        {name}
      </Anchor>
    ),
  },
  {
    key: 'status',
    header: t.campaigns.status,
    cell: ({ status }) => (
      <Badge miw="max-content" color={statusColors[status]}>
        {t.campaigns.statuses[status]}
      </Badge>
    ),
  },
  {
    key: 'started',
    header: t.delivery.started,
    time: true,
    cell: ({ started_at }) => (started_at === null ? '–' : formatTime(started_at)),
  },
  {
    key: 'accepted',
    header: t.campaigns.accepted,
    numeric: true,
    cell: ({ success_count }) => formatNumber(success_count),
  },
];
