import { Type } from 'typebox';
import { limitExample, limitSchema } from '../../standing/schema.ts';

/** A push service that limits the app, and what that means for one delivery. */
export const deliveryLimit = Type.Object(
  {
    ...limitSchema.properties,
    waiting: Type.Integer({
      description:
        'Subscribers of the delivery that wait for it; of those that were not tried yet, the share that this push service had of others.',
    }),
    seconds_left: Type.Integer({
      description:
        'At the allowed rate, which the app’s other running deliveries share; until the notification expires, at most.',
    }),
    expiring: Type.Integer({
      description: 'Of waiting, for whom it comes too late: the notification expires.',
    }),
  },
  {
    title: 'DeliveryLimit',
    examples: [{ ...limitExample, waiting: 1_000_000, seconds_left: 60_000, expiring: 0 }],
  },
);
