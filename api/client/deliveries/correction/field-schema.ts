import { type Static, Type } from 'typebox';
import { type DeliveryStatus, deliveryStatuses } from '../../../../engine/contract/delivery.ts';
import { nullable } from '../../../http/fields.ts';

const correction = Type.Object(
  {
    delivery_id: Type.Integer({ description: 'The delivery that corrects this one.' }),
    status: Type.Unsafe<DeliveryStatus>({
      type: 'string',
      enum: [...deliveryStatuses],
      description: 'The status of that delivery.',
    }),
    seen_before: nullable<number>({
      type: 'integer',
      description:
        'Readers whose browser had shown the first text when the correction started, each once. Null while they cannot be ' +
        'counted, and once the events of then are deleted.',
    }),
  },
  { title: 'Correction' },
);
export type Correction = Static<typeof correction>;

export const correctionField = Type.Union([correction, Type.Null()], {
  description:
    'The newest correction of the delivery, except for those that were cancelled. Null: there is none.',
});
