import { type Static, Type } from 'typebox';
import { nullableTime } from '../../../http/fields.ts';
import { deliveryLimit } from '../create/limits-schema.ts';

const forecast = Type.Object(
  {
    rate_per_minute: Type.Integer({
      description: 'Subscribers a minute over the last half minute: accepted, failed permanently or capped.',
    }),
    seconds_left: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'At this rate, and where a push service limits the app at the one that it allows: the longest of all. Null while nothing moves.',
    }),
    estimated_completion_at: nullableTime,
    limits: Type.Array(deliveryLimit, { description: 'Push services that limit the app now. Mostly none.' }),
  },
  {
    title: 'DeliveryForecast',
    examples: [
      {
        rate_per_minute: 540_000,
        seconds_left: 9,
        estimated_completion_at: '2026-01-31T12:00:14+00:00',
        limits: [],
      },
    ],
  },
);
export type Forecast = Static<typeof forecast>;

export const forecastField = Type.Union([forecast, Type.Null()], {
  description:
    'While the delivery runs and its rate can be measured, or a push service limits the app; otherwise null.',
});
