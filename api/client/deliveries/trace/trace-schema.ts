import { type Static, Type } from 'typebox';
import { outcomes } from '../../../../engine/contract/outcome.ts';
import { pushServices } from '../../../../engine/contract/push-service.ts';
import { nullable, nullableTime, timeField } from '../../../http/fields.ts';

/** The result of one delivery for one subscription. `trace.ts` derives it from the facts. */
export const decisions = [
  'not_started',
  'not_in_audience',
  'not_reached',
  'in_progress',
  'waiting_for_retry',
  'accepted',
  'capped',
  'guarded',
  'wished',
  'failed',
  'not_sent',
] as const;
export type Decision = (typeof decisions)[number];

const oneOf = <const Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], description });

const attemptSchema = Type.Object(
  {
    attempt: Type.Integer({ description: '1 the first time; 255 means 255 or more.' }),
    at: timeField,
    outcome: oneOf(outcomes, 'How it ended. `gone` or `expired` without a status: ended without a request.'),
    http_status: nullable<number>({ type: 'integer', description: 'Null: no answer came.' }),
    push_service: nullable<string>({
      type: 'string',
      description: `Null: none was asked. One of ${pushServices.join(', ')}.`,
    }),
    latency_ms: Type.Integer(),
    may_have_arrived: Type.Boolean({ description: 'The request left and no answer came.' }),
  },
  { title: 'DeliveryAttempt' },
);
export type AttemptResource = Static<typeof attemptSchema>;

const capping = Type.Object({ delivery_id: Type.Integer(), name: Type.String(), started_at: nullableTime });

const samePerson = Type.Object({ subscription_id: Type.Integer(), decision: oneOf(decisions, 'As above.') });

const traceExample = {
  delivery_id: 81,
  subscription_id: 4_711,
  decision: 'accepted',
  reason: 'The push service (fcm) accepted it.',
  retry_at: null,
  tried_until: null,
  capped_by: [],
  same_person: [{ subscription_id: 5_022, decision: 'capped' }],
  attempts_known: true,
  attempts: [
    {
      attempt: 1,
      at: '2026-01-31T12:00:02+00:00',
      outcome: 'accepted',
      http_status: 201,
      push_service: 'fcm',
      latency_ms: 41,
      may_have_arrived: false,
    },
  ],
} as const;

const decisionText = `The decision:
- \`not_started\`: the delivery has not been planned yet, nothing is decided about anybody.
- \`not_in_audience\`: it was not for this subscription; \`reason\` says why, as far as can be told.
- \`not_reached\`: the delivery runs and has not come to this subscription.
- \`in_progress\`: in the audience, and being sent.
- \`waiting_for_retry\`: in the audience, tried, and to be tried again at \`retry_at\`.
- \`accepted\`: a push service took it.
- \`capped\`: in the audience, and held back by the frequency cap.
- \`guarded\`: in the audience, and held back by the guard of Chrome’s limit: the next one could cost this reader.
- \`wished\`: in the audience, and held back because the reader asked for fewer, for a pause or for quiet hours.
- \`failed\`: in the audience, and given up permanently; the last attempt's outcome says how.
- \`not_sent\`: the delivery was cancelled or failed before it was sent to this subscription.`;

export const traceSchema = Type.Object(
  {
    delivery_id: Type.Integer(),
    subscription_id: Type.Integer(),
    decision: oneOf(decisions, decisionText),
    reason: Type.String({ description: 'A sentence for people.' }),
    retry_at: nullableTime,
    tried_until: nullable<string>({
      type: 'string',
      format: 'date-time',
      description:
        'While it may still be sent: until when at the latest, which is the end of its TTL, or `expires_at` where ' +
        'that comes first. The most attempts at a subscription that the operator allows (MAX_ATTEMPTS) may end it ' +
        'before; an attempt that held messages back because their push service does not answer does not count as one. ' +
        'Null where nothing more is tried, and where a TTL of 0 asks for one attempt, whenever that is.',
    }),
    capped_by: Type.Array(capping, {
      description: 'Where it was capped, guarded or wished: the deliveries of that window that it was sent.',
    }),
    same_person: Type.Array(samePerson, {
      description:
        'The result for the person’s other subscriptions: those that share this one’s user identity or an external id, at most 20.',
    }),
    attempts_known: Type.Boolean({
      description:
        'False: the record of attempts cannot be read now, or is not kept any more, and `attempts` is empty for that reason; `reason` says which.',
    }),
    attempts: Type.Array(attemptSchema, { description: 'Recorded a second or two after they end.' }),
  },
  { title: 'DeliveryTrace', examples: [traceExample] },
);
export type TraceResource = Static<typeof traceSchema>;
