import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { recentQuery } from '../data/apps/overview-queries.ts';
import { type Band, placeIn, typicalFor } from '../data/apps/typical.ts';
import { useApp } from '../data/apps/use-app.ts';
import type { ListedDelivery } from '../data/deliveries/resource.ts';
import { useApi } from '../data/http/services.tsx';
import { formatAgo, formatNumber, formatPercent, formatShare } from '../format/format.ts';
import { Badges } from '../parts/delivery-badges.tsx';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

const words = t.overview;
const SHOWN = 5;

interface Row {
  readonly delivery: ListedDelivery;
  readonly band: Band | null;
}

const columnsOf = (app: string): readonly Column<Row>[] => [
  {
    key: 'title',
    header: t.deliveries.title,
    names: true,
    cell: ({ delivery: { id, title, started_at } }) => (
      <>
        <Anchor
          renderRoot={(props) => (
            <Link to="/apps/$app/deliveries/$delivery" params={{ app, delivery: String(id) }} {...props} />
          )}
        >
          {title}
        </Anchor>
        <Text size="xs" c="dimmed" fw={400}>
          {formatAgo(started_at)}
        </Text>
      </>
    ),
  },
  { key: 'status', header: t.deliveries.status, cell: ({ delivery }) => <Badges delivery={delivery} /> },
  {
    key: 'accepted',
    header: t.deliveries.accepted,
    numeric: true,
    cell: ({ delivery }) => formatNumber(delivery.success_count),
  },
  {
    key: 'clicks',
    header: t.deliveries.clicks,
    numeric: true,
    cell: ({ delivery }) => (delivery.clicks_known ? formatNumber(delivery.click_count) : '–'),
  },
  {
    key: 'rate',
    header: t.deliveries.clickRate,
    numeric: true,
    cell: (row) => <Rate {...row} />,
  },
];

/** The last five that went to readers, each against what is typical for its hour and day. */
export function LastSent(): ReactNode {
  const { identifier } = useApp();
  const query = useQuery(recentQuery(useApi(), identifier));
  return (
    <Section title={words.last} description={words.lastAbout}>
      <Loaded query={query}>
        {({ data }) => {
          const sent = data.filter(({ rehearsal, started_at }) => !rehearsal && started_at !== null);
          if (sent.length === 0) return <Text size="sm">{words.lastNone}</Text>;
          const rows = sent
            .slice(0, SHOWN)
            .map((delivery) => ({ delivery, band: typicalFor(delivery, data) }));
          return (
            <>
              <DataTable
                label={words.last}
                columns={columnsOf(identifier)}
                rows={rows}
                keyOf={({ delivery }) => delivery.id}
              />
              <div>
                <Button
                  variant="default"
                  size="xs"
                  renderRoot={(props) => (
                    <Link to="/apps/$app/deliveries" params={{ app: identifier }} {...props} />
                  )}
                >
                  {words.allDeliveries}
                </Button>
              </div>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

/** Most clicks come within this time: before it, a rate is compared with nothing. */
const CLICKED_AFTER_MS = 2 * 3_600_000;

function Rate({ delivery, band }: Row): ReactNode {
  const { click_rate: rate, click_count, clicks_known, success_count, started_at } = delivery;
  if (!clicks_known || success_count === 0) return '–';
  const isYoung = Date.now() - Date.parse(started_at ?? '') < CLICKED_AFTER_MS;
  const place = band === null || isYoung ? null : placeIn(rate, band);
  return (
    <>
      {formatShare(click_count, success_count)}
      {band !== null && (
        <Text size="xs" c="dimmed" data-place={place ?? 'young'} fw={400}>
          {isYoung ? words.young : words.typical(formatPercent(band.from), formatPercent(band.to), place)}
        </Text>
      )}
    </>
  );
}
