import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Delivery } from '../data/deliveries/queries.ts';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';
import { type Cause, type CauseKind, causesOf } from './causes.ts';

const words = t.delivery;

const ways = {
  unsubscribed: { to: '/apps/$app/subscribers', search: () => ({ status: 'unsubscribed' }) },
  keys: { to: '/apps/$app/keys', search: () => ({}) },
  compose: { to: '/apps/$app/compose', search: (from: number) => ({ from }) },
  services: { to: '/apps/$app/analytics', search: () => ({}) },
} as const;

const wayOf: Readonly<Record<CauseKind, keyof typeof ways>> = {
  gone: 'unsubscribed',
  key: 'keys',
  rejected: 'compose',
  expired: 'compose',
  endpoint: 'unsubscribed',
  other: 'services',
};

const columnsOf = (app: string, delivery: number): readonly Column<Cause>[] => [
  { key: 'why', header: words.failureReason, names: true, cell: (cause) => <Reason cause={cause} /> },
  {
    key: 'service',
    header: words.service,
    cell: ({ service }) => (service === null ? '–' : words.serviceNames[service]),
  },
  { key: 'count', header: words.total, numeric: true, cell: ({ count }) => formatNumber(count) },
  {
    key: 'act',
    header: words.failureAct,
    cell: ({ kind }) => <Act kind={kind} app={app} delivery={delivery} />,
  },
];

/** What failed, at which push service, for how many, and what to do about it. */
export function FailuresSection({ app, delivery }: { app: string; delivery: Delivery }): ReactNode {
  const causes = causesOf(delivery);
  if (causes.length === 0) return null;
  return (
    <Section title={words.whatFailed} description={words.whatFailedAbout}>
      <DataTable
        label={words.whatFailed}
        columns={columnsOf(app, delivery.id)}
        rows={causes}
        keyOf={({ key }) => key}
      />
    </Section>
  );
}

const Reason = ({ cause: { kind, status, said } }: { cause: Cause }): ReactNode => (
  <>
    {words.causes[kind]}
    {(status !== null || said !== null) && (
      <Text size="xs" c="dimmed" fw={400}>
        {[status === null ? null : words.answered(status), said].filter(Boolean).join(': ')}
      </Text>
    )}
  </>
);

function Act({ kind, app, delivery }: { kind: CauseKind; app: string; delivery: number }): ReactNode {
  const { to, search } = ways[wayOf[kind]];
  return (
    <>
      {words.causeActs[kind]}{' '}
      <Anchor
        underline="always"
        renderRoot={(props) => (
          <Link to={to as string} params={{ app } as never} search={search(delivery) as never} {...props} />
        )}
      >
        {words.causeLinks[wayOf[kind]]}
      </Anchor>
    </>
  );
}
