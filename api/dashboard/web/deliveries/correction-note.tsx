import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Delivery } from '../data/deliveries/queries.ts';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Facts } from '../ui/facts.tsx';
import { IconArrowForwardUp } from '../ui/icons.ts';
import { useDelivery } from './use-delivery.ts';

const words = t.correction;

interface Props {
  readonly app: string;
  readonly delivery: Delivery;
}

/** On both sides of a correction: what belongs together, who saw the wrong text, and who has seen the right one. */
export const CorrectionNote = ({ app, delivery }: Props): ReactNode => (
  <>
    {delivery.correction !== null && (
      <Corrected
        app={app}
        delivery={delivery}
        id={delivery.correction.delivery_id}
        seenBefore={delivery.correction.seen_before}
      />
    )}
    {delivery.corrects_delivery_id !== null && (
      <Corrects app={app} delivery={delivery} id={delivery.corrects_delivery_id} />
    )}
  </>
);

interface SideProps extends Props {
  /** Of the other one. */
  readonly id: number;
}

function Corrected({ app, delivery, id, seenBefore }: SideProps & { seenBefore: number | null }): ReactNode {
  const { data } = useDelivery(app, String(id)).query;
  const right = data?.engagement?.displayed;
  return (
    <Alert color="indigo" icon={<IconArrowForwardUp aria-hidden />} title={words.corrected}>
      {seenBefore === null ? words.seenUnknown : words.seenBefore(formatNumber(seenBefore))}{' '}
      {right !== undefined && words.seenRight(formatNumber(right))}{' '}
      <To app={app} id={id}>
        {data?.title ?? words.number(id)}
      </To>
      <Pair before={delivery} after={data} />
    </Alert>
  );
}

function Corrects({ app, delivery, id }: SideProps): ReactNode {
  const { data } = useDelivery(app, String(id)).query;
  return (
    <Alert color="indigo" icon={<IconArrowForwardUp aria-hidden />}>
      {words.corrects}{' '}
      <To app={app} id={id}>
        {words.number(id)}
      </To>
      <Pair before={data} after={delivery} />
    </Alert>
  );
}

/** What both say, one above the other. Undefined: it is being read. */
const Pair = ({ before, after }: Record<'before' | 'after', Delivery | undefined>): ReactNode =>
  before !== undefined &&
  after !== undefined && (
    <Facts
      facts={(
        [
          ['before', before],
          ['after', after],
        ] as const
      ).map(([part, { title, body }]) => [t.overview.lines[part], `${title}: ${body}`])}
    />
  );

const To = ({ app, id, children }: { app: string; id: number; children: ReactNode }): ReactNode => (
  <Anchor
    inherit
    c="inherit"
    underline="always"
    renderRoot={(props) => (
      <Link to="/apps/$app/deliveries/$delivery" params={{ app, delivery: String(id) }} {...props} />
    )}
  >
    {children}
  </Anchor>
);
