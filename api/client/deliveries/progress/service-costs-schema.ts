import { type Static, Type } from 'typebox';
import { pushServices } from '../../../../engine/contract/push-service.ts';

const serviceCost = Type.Object(
  {
    push_service: Type.Unsafe<(typeof pushServices)[number]>({
      type: 'string',
      enum: [...pushServices],
      description: 'The operator of the subscribers’ endpoints.',
    }),
    requests: Type.Integer({
      description: 'Sent to it: those for a subscriber who was tried again count each time.',
    }),
    answer_ms: Type.Integer({ description: 'Mean time until it answered, in milliseconds.' }),
  },
  {
    title: 'DeliveryServiceCost',
    examples: [{ push_service: 'fcm', requests: 81_960, answer_ms: 48 }],
  },
);
export type ServiceCosts = Static<typeof serviceCost>[];

export const serviceCostsField = Type.Union([Type.Array(serviceCost), Type.Null()], {
  description:
    'What it took at each push service, some seconds behind. Null while it cannot be counted: retry later.',
});
