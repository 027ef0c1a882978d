import { Alert, Anchor } from '@mantine/core';
import { IconArrowForwardUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Delivery } from '../data/deliveries/queries.ts';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
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
        id={delivery.correction.delivery_id}
        seenBefore={delivery.correction.seen_before}
      />
    )}
    {delivery.corrects_delivery_id !== null && (
      <Alert color="indigo" icon={<IconArrowForwardUp aria-hidden />}>
        {words.corrects}{' '}
        <To app={app} id={delivery.corrects_delivery_id}>
          {words.number(delivery.corrects_delivery_id)}
        </To>
      </Alert>
    )}
  </>
);

function Corrected({
  app,
  id,
  seenBefore,
}: {
  app: string;
  id: number;
  seenBefore: number | null;
}): ReactNode {
  const { data } = useDelivery(app, String(id)).query;
  const right = data?.engagement?.displayed;
  return (
    <Alert color="indigo" icon={<IconArrowForwardUp aria-hidden />} title={words.corrected}>
      {seenBefore === null ? words.seenUnknown : words.seenBefore(formatNumber(seenBefore))}{' '}
      {right !== undefined && words.seenRight(formatNumber(right))}{' '}
      <To app={app} id={id}>
        {data?.title ?? words.number(id)}
      </To>
    </Alert>
  );
}

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
