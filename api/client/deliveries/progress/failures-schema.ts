import { type Static, Type } from 'typebox';
import { type Outcome, outcomes } from '../../../../engine/contract/outcome.ts';
import { type PushService, pushServices } from '../../../../engine/contract/push-service.ts';
import { nullable } from '../../../http/fields.ts';

const failure = Type.Object(
  {
    outcome: Type.Unsafe<Outcome>({
      type: 'string',
      enum: [...outcomes],
      description: 'How it ended, as in a trace.',
    }),
    push_service: Type.Union(
      [Type.Unsafe<PushService>({ type: 'string', enum: [...pushServices] }), Type.Null()],
      { description: 'Null: it ended without an answer.' },
    ),
    http_status: nullable<number>({ type: 'integer', description: 'Null: no answer came.' }),
    reason: nullable<string>({
      type: 'string',
      description: 'The push service’s own words, or an error code.',
    }),
    count: Type.Integer({ description: 'Subscribers.' }),
  },
  {
    title: 'DeliveryFailure',
    examples: [{ outcome: 'gone', push_service: 'fcm', http_status: 410, reason: null, count: 402 }],
  },
);
export type DeliveryFailure = Static<typeof failure>;

export const failuresField = Type.Array(failure, {
  description:
    'Why subscribers failed permanently, most frequent first. Rare reasons may be missing: the counts add up to failed_count at most.',
});

export const goneCountField = Type.Integer({
  description:
    'Of failed_count: their push service says that the subscription is gone. They are unsubscribed, and nobody has to act.',
});

export const nextAttemptField = nullable<string>({
  type: 'string',
  format: 'date-time',
  description:
    'While it runs: when the next part that waits is tried (after a push service did not answer, or by the delivery’s pace). Null where nothing waits.',
});
