import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { StackedBars } from '../charts/bars.tsx';
import { ChartCard } from '../charts/chart-card.tsx';
import { measureColor } from '../charts/colors.ts';
import { countUnit } from '../charts/units.ts';
import type { ServiceStats } from '../data/analytics/queries.ts';
import { formatNumber, formatShare } from '../format/format.ts';
import { t } from '../texts/t.ts';

const words = t.analytics;

/** Accepted messages of the period per push service. */
export function ServicesChart({ services }: { services: ServiceStats }): ReactNode {
  const rows = services.push_services.map((each) => ({
    ...each,
    name: t.delivery.serviceNames[each.push_service],
  }));
  return (
    <ChartCard
      title={words.services}
      description={
        <>
          {words.servicesAbout}
          {services.unrecorded > 0 && (
            <Text component="span" size="sm" display="block" role="status">
              {words.unrecorded(formatNumber(services.unrecorded))}
            </Text>
          )}
        </>
      }
      file="push-services"
      empty={rows.length === 0 && words.engagementEmpty}
      table={{
        columns: [
          { header: t.delivery.service },
          { header: t.delivery.accepted, format: formatNumber },
          { header: t.delivery.failed, format: formatNumber },
          { header: words.retried, format: formatNumber },
          { header: words.acceptedRate, format: (_, line) => shareOf(rows[line]) },
        ],
        rows: rows.map(({ name, accepted, failed, retried, accepted_rate }) => [
          ...[name, accepted, failed, retried, accepted_rate],
        ]),
      }}
    >
      <StackedBars
        points={rows.map(({ name, accepted, failed }) => ({ at: name, accepted, failed }))}
        series={[
          {
            name: 'accepted',
            label: t.delivery.accepted,
            color: measureColor.accepted,
            unit: countUnit,
          },
          { name: 'failed', label: t.delivery.failed, color: measureColor.failed, unit: countUnit },
        ]}
        axis={words.messages}
        says={({ accepted, failed }) =>
          `${formatNumber(Number(accepted))} · ${shareOf({ accepted: Number(accepted), failed: Number(failed) })}`
        }
        withLegend
        names={88}
      />
    </ChartCard>
  );
}

const shareOf = (service: { readonly accepted: number; readonly failed: number } | undefined): string =>
  formatShare(service?.accepted ?? 0, (service?.accepted ?? 0) + (service?.failed ?? 0));
