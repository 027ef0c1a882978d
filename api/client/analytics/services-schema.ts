import { type Static, Type } from 'typebox';
import { pushServices } from '../../../engine/contract/push-service.ts';

const push_service = Type.Unsafe<(typeof pushServices)[number]>({
  type: 'string',
  enum: [...pushServices],
  description: 'The operator of the subscribers’ endpoints.',
});
const counts = {
  sent: Type.Integer({
    description: 'Messages that came to an end: accepted and failed. However often tried, each once.',
  }),
  accepted: Type.Integer({ description: 'Taken by the push service.' }),
  failed: Type.Integer({ description: 'Failed permanently.' }),
  retried: Type.Integer({ description: 'Attempts that left a message for another attempt.' }),
  throttled: Type.Integer({
    description: 'Of retried, those that the push service refused because they came too fast.',
  }),
};

export const serviceStatsSchema = Type.Object(
  {
    period_days: Type.Integer({ description: 'The days asked for.' }),
    daily_stats: Type.Array(
      Type.Object({ date: Type.String({ format: 'date', description: 'In UTC.' }), push_service, ...counts }),
      {
        description:
          'One entry a day and push service with any, oldest first: on the day of the attempt, which may come after the day a delivery was due.',
      },
    ),
    push_services: Type.Array(
      Type.Object({
        push_service,
        ...counts,
        accepted_rate: Type.Number({ description: 'Percent of sent.' }),
      }),
      { description: 'Of the period, by push service: most sent first.' },
    ),
    unrecorded: Type.Integer({
      description:
        'Messages that have ended and are not in these figures yet: 0 where nothing is missing. They follow within seconds, or once ClickHouse is back.',
    }),
  },
  {
    title: 'PushServiceStatistics',
    examples: [
      {
        period_days: 1,
        daily_stats: [
          {
            date: '2026-01-31',
            push_service: 'fcm',
            sent: 81_422,
            accepted: 81_020,
            failed: 402,
            retried: 12,
            throttled: 0,
          },
        ],
        push_services: [
          {
            push_service: 'fcm',
            sent: 81_422,
            accepted: 81_020,
            failed: 402,
            retried: 12,
            throttled: 0,
            accepted_rate: 99.51,
          },
        ],
        unrecorded: 0,
      },
    ],
  },
);
export type ServiceStats = Static<typeof serviceStatsSchema>;
