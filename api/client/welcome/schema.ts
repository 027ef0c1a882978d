import { type Static, Type } from 'typebox';
import { passingOver } from '../../../engine/kit/http/rules.ts';
import {
  givenUrlPattern,
  httpUrl,
  nullable,
  nullableInteger,
  nullableText,
  nullableTime,
  shortText,
} from '../../http/fields.ts';

export const MAX_DELAY_MINUTES = 1_440;
/** Of the figures. */
export const RESULT_DAYS = 30;

const example = {
  enabled: true,
  title: 'Thank you for subscribing',
  body: 'We write when it matters.',
  url: 'https://news.example.com/welcome',
  delay_minutes: 5,
};

export const welcomeBody = passingOver(
  Type.Object(
    {
      enabled: Type.Boolean(),
      title: shortText('As of a delivery: `{{ tag.name }}` is a reader’s tag.'),
      body: shortText('Text of the notification.'),
      url: httpUrl('Opened by a click.'),
      image_url: Type.Optional(httpUrl('Fetched now, and served by us. At most 2 MB.')),
      icon_url: Type.Optional(httpUrl('Its own icon, likewise; the app’s when left out.')),
      delay_minutes: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_DELAY_MINUTES,
          description: 'From the subscription. 0 when left out: within seconds.',
        }),
      ),
    },
    { title: 'WelcomeSetting', examples: [example] },
  ),
  ['updated_at', 'waiting', 'results'],
);
export type WelcomeBody = Static<typeof welcomeBody>;

export const welcomeSchema = Type.Object(
  {
    enabled: Type.Boolean(),
    title: nullableText,
    body: nullableText,
    url: nullable<string>({ type: 'string', pattern: givenUrlPattern }),
    image_url: nullable<string>({
      type: 'string',
      format: 'uri',
      description: 'Where the service itself serves it.',
    }),
    icon_url: nullable<string>({
      type: 'string',
      format: 'uri',
      description: 'Where the service itself serves it. Null: the app’s is shown.',
    }),
    delay_minutes: Type.Integer(),
    updated_at: nullableTime,
    waiting: Type.Integer({ description: 'New subscribers whose welcome is still to come.' }),
    results: Type.Object(
      {
        days: Type.Literal(RESULT_DAYS),
        sent: Type.Integer({ description: 'Accepted by a push service.' }),
        failed: Type.Integer(),
        displayed: nullableInteger,
        clicked: nullableInteger,
        as_of: Type.String({
          format: 'date-time',
          description: 'When these figures were counted: up to five minutes ago. `waiting` is of now.',
        }),
      },
      { description: 'Of these days; reactions are null while they cannot be counted.' },
    ),
  },
  {
    title: 'Welcome',
    examples: [
      {
        ...example,
        image_url: null,
        icon_url: null,
        updated_at: '2026-01-31T12:00:00+00:00',
        waiting: 3,
        results: {
          days: RESULT_DAYS,
          sent: 1_240,
          failed: 12,
          displayed: 1_011,
          clicked: 204,
          as_of: '2026-02-01T08:00:00+00:00',
        },
      },
    ],
  },
);
export type WelcomeResource = Static<typeof welcomeSchema>;
