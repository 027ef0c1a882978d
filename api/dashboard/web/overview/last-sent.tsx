import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { recentQuery } from '../data/apps/overview-queries.ts';
import { type Band, placeIn, typicalFor } from '../data/apps/typical.ts';
import { useApp } from '../data/apps/use-app.ts';
import type { Line } from '../data/deliveries/lines.ts';
import type { ListedDelivery } from '../data/deliveries/resource.ts';
import { useApi } from '../data/http/services.tsx';
import { formatAgo, formatNumber, formatPercent, formatShare } from '../format/format.ts';
import { Badges } from '../parts/delivery-badges.tsx';
import { LineName, useLines } from '../parts/line-name.tsx';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

const words = t.overview;
const SHOWN = 5;

interface Row {
  readonly line: Line;
  readonly delivery: ListedDelivery;
  readonly band: Band | null;
}

const columnsOf = (nameOf: (row: Row) => ReactNode): readonly Column<Row>[] => [
  { key: 'title', header: t.deliveries.title, names: true, cell: nameOf },
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
  const sent = query.data?.data.filter(({ rehearsal, started_at }) => !rehearsal && started_at !== null);
  const { lines = [], ...folding } = useLines(sent);
  return (
    <Section title={words.last} description={words.lastAbout}>
      <Loaded query={query}>
        {({ data }) => {
          if (lines.length === 0) return <Text size="sm">{words.lastNone}</Text>;
          const rows = newestOf(lines).map((line) => ({
            ...{ line, delivery: line.delivery },
            band: line.variants.length > 0 ? null : typicalFor(line.delivery, data),
          }));
          return (
            <>
              <DataTable
                label={words.last}
                columns={columnsOf(({ line }) => (
                  <LineName app={identifier} line={line} {...folding}>
                    <Text size="xs" c="dimmed" fw={400}>
                      {formatAgo(line.delivery.started_at)}
                    </Text>
                  </LineName>
                ))}
                rows={rows}
                keyOf={({ line }) => line.key}
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

/** As many as are shown, and the variants of those that are unfolded. */
function newestOf(lines: readonly Line[]): readonly Line[] {
  const own = lines.filter(({ part }) => part !== 'variant').slice(0, SHOWN);
  const last = own.at(-1);
  const after = last === undefined ? 0 : lines.indexOf(last) + 1;
  const rest = lines.slice(after).findIndex(({ part }) => part !== 'variant');
  return lines.slice(0, rest === -1 ? lines.length : after + rest);
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
