import { type Static, Type } from 'typebox';
import { type PushService, pushServices } from '../../../engine/contract/push-service.ts';
import { nullableTime, timeField } from '../../http/fields.ts';
import { chromeGuardSchema } from '../apps/chrome-guard.ts';

export const MOST_EPISODES = 100;
export const HOURS_OF_DAYS = 7;

const serviceField = Type.Unsafe<PushService>({
  type: 'string',
  enum: [...pushServices],
  description: 'The operator of the subscribers’ endpoints.',
});
const allowedField = (description: string) => Type.Integer({ minimum: 1, description });

export const limitExample = {
  push_service: 'fcm',
  limited_since: '2026-01-31T09:12:00+00:00',
  allowed_per_minute: 1_000,
  probable_end_at: '2026-02-01T09:12:00+00:00',
} as const;

export const limitSchema = Type.Object(
  {
    push_service: serviceField,
    limited_since: timeField,
    allowed_per_minute: allowedField('Messages a minute that it takes of this app, as measured.'),
    probable_end_at: Type.Union([timeField, Type.Null()], {
      description:
        'Chrome limits a site for 1, then 7, then 14 days, and counts again after 42 days without a limit. Null: this push service says nothing about it.',
    }),
  },
  { title: 'PushServiceLimit', examples: [limitExample] },
);

const standingOfService = Type.Object(
  {
    push_service: serviceField,
    standing: Type.Unsafe<'normal' | 'limited'>({ type: 'string', enum: ['normal', 'limited'] }),
    limit: Type.Union([limitSchema, Type.Null()], { description: 'Null: normal.' }),
  },
  {
    title: 'PushServiceStanding',
    examples: [{ push_service: 'mozilla', standing: 'normal', limit: null }],
  },
);

const episodeExample = {
  push_service: 'fcm',
  limited_since: '2026-01-12T06:40:00+00:00',
  allowed_per_minute: 1_250,
  lowest_per_minute: 1_000,
  probable_end_at: '2026-01-13T06:40:00+00:00',
  ended_at: '2026-01-13T07:05:00+00:00',
} as const;

const episodeSchema = Type.Object(
  {
    ...limitSchema.properties,
    lowest_per_minute: allowedField('The lowest that was measured.'),
    ended_at: nullableTime,
  },
  { title: 'LimitEpisode', examples: [episodeExample] },
);

const hourExample = {
  hour: '2026-01-31T09:00:00+00:00',
  push_service: 'fcm',
  accepted: 48_020,
  throttled: 1_904,
} as const;

const hourSchema = Type.Object(
  {
    hour: Type.String({ format: 'date-time', description: 'Its start.' }),
    push_service: serviceField,
    accepted: Type.Integer(),
    throttled: Type.Integer({ description: 'Answers that it came too fast: 429, or 406 of WNS.' }),
  },
  { title: 'ThrottledHour', examples: [hourExample] },
);

export const standingSchema = Type.Object(
  {
    push_services: Type.Array(standingOfService, {
      description: 'Each known one, how it treats the app now.',
    }),
    episodes: Type.Array(episodeSchema, {
      description: `Times that the app was limited: those that go on first, then the newest. At most ${MOST_EPISODES}.`,
    }),
    throttled_hours: Type.Array(hourSchema, {
      description: `Of the last ${HOURS_OF_DAYS} days, the hours in which a push service throttled the app or was known to limit it; of these, only minutes with answers count.`,
    }),
    chrome_guard: Type.Union([chromeGuardSchema, Type.Null()], {
      description: 'The guard of Chrome’s limit as the app has it; null: off.',
    }),
  },
  {
    title: 'Standing',
    examples: [
      {
        push_services: [
          { push_service: 'fcm', standing: 'limited', limit: limitExample },
          { push_service: 'mozilla', standing: 'normal', limit: null },
        ],
        episodes: [episodeExample],
        throttled_hours: [hourExample],
        chrome_guard: { android_max: 27, desktop_max: 41, engaged_days: 10 },
      },
    ],
  },
);
export type Standing = Static<typeof standingSchema>;
