import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface DeliveryLinkProps {
  readonly app: string;
  readonly id: number;
  readonly name: string;
}

/** The name of a delivery, which leads to it. */
export const DeliveryLink = ({ app, id, name }: DeliveryLinkProps): ReactNode => (
  <Anchor
    renderRoot={(props) => (
      <Link to="/apps/$app/deliveries/$delivery" params={{ app, delivery: String(id) }} {...props} />
    )}
  >
    {name}
  </Anchor>
);
