import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Delivery } from '../data/deliveries/queries.ts';
import { isActive } from '../data/deliveries/status.ts';
import { formatMilliseconds, formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';

const words = t.delivery;
type Service = Delivery['push_services'][number];

const count = (key: 'accepted' | 'failed' | 'waiting', header: string): Column<Service> => ({
  key,
  header,
  numeric: true,
  cell: (service) => formatNumber(service[key]),
});

/** What it took there; unknown while it is counted. */
const cost = (delivery: Delivery, key: 'requests' | 'answer_ms', header: string): Column<Service> => ({
  key,
  header,
  numeric: true,
  cell: ({ push_service: service }) => {
    const found = delivery.push_service_costs?.find((each) => each.push_service === service);
    if (found === undefined) return '–';
    return key === 'requests' ? formatNumber(found.requests) : formatMilliseconds(found.answer_ms);
  },
});

const costs = (delivery: Delivery): readonly Column<Service>[] =>
  delivery.rehearsal
    ? []
    : [cost(delivery, 'requests', words.requests), cost(delivery, 'answer_ms', words.answerTime)];

const columns: readonly Column<Service>[] = [
  { key: 'service', header: words.service, names: true, cell: (service) => <Name {...service} /> },
  count('accepted', words.accepted),
  count('failed', words.failed),
];
const whileRunning: readonly Column<Service>[] = [
  count('waiting', words.waiting),
  {
    key: 'rate',
    header: words.serviceRate,
    numeric: true,
    cell: ({ rate }) => (rate === null ? '–' : formatNumber(rate)),
  },
];

/** How it goes at each push service that the delivery has reached. */
export function ServicesSection({ delivery }: { delivery: Delivery }): ReactNode {
  const { push_services: services } = delivery;
  if (services.length === 0) return null;
  return (
    <Section title={words.services} description={words.servicesAbout}>
      <DataTable
        label={words.services}
        columns={[...columns, ...(isActive(delivery) ? whileRunning : costs(delivery))]}
        rows={services}
        keyOf={({ push_service }) => push_service}
      />
    </Section>
  );
}

const Name = ({ push_service: service, throttled }: Service): ReactNode => (
  <>
    {words.serviceNames[service]}
    <Text size="xs" c="dimmed">
      {words.serviceBrowsers[service]}
    </Text>
    {throttled > 0 && (
      <Text size="xs" c="dimmed">
        {words.throttled(formatNumber(throttled))}
      </Text>
    )}
  </>
);
