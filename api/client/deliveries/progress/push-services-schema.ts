import { type Static, Type } from 'typebox';
import { pushServices } from '../../../../engine/contract/push-service.ts';

const pushServiceCounts = Type.Object(
  {
    push_service: Type.Unsafe<(typeof pushServices)[number]>({
      type: 'string',
      enum: [...pushServices],
      description: 'The operator of the subscribers’ endpoints.',
    }),
    accepted: Type.Integer({ description: 'Of all push services together: success_count.' }),
    failed: Type.Integer({ description: 'Of all push services together: failed_count.' }),
    throttled: Type.Integer({
      description: 'Times it asked for less: one subscriber may be counted for several attempts.',
    }),
    waiting: Type.Integer({
      description: 'Subscribers waiting for another attempt. 0 once it has ended.',
    }),
    rate: Type.Union([Type.Number(), Type.Null()], {
      description: 'Messages accepted a second over the last seconds; null where the delivery does not run.',
    }),
  },
  {
    title: 'DeliveryPushService',
    examples: [
      { push_service: 'fcm', accepted: 81_020, failed: 402, throttled: 12, waiting: 0, rate: 8_204.5 },
    ],
  },
);
export type PushServiceCounts = Static<typeof pushServiceCounts>;

export const pushServicesField = Type.Array(pushServiceCounts, {
  description: 'How it goes at each push service that the delivery has reached so far.',
});
