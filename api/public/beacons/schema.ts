import { type Static, Type } from 'typebox';
import {
  EVENT_ACTION_PATTERN,
  EVENT_ID_PATTERN,
  type EventType,
  eventTypes,
} from '../../../engine/contract/event.ts';
import { parseTime } from '../../http/fields.ts';
import { browserSecretField } from '../browser-name.ts';
import { exampleSecret, exampleUserId } from '../subscribe/schema.ts';

/** One delivery's events on one device: displayed, clicked, a button, closed; twice that for a bad day. */
const MAX_EVENTS = 10;

const at = Type.Refine(
  Type.String({
    maxLength: 64,
    description:
      'When it happened, where that is not now: beacons of a browser that was offline come late. Taken as between the delivery’s time, or 30 days ago where that is later, and now.',
    documented: { format: 'date-time' },
  }),
  (text) => typeof text !== 'string' || parseTime(text) !== null,
  () => 'must be an ISO 8601 time such as 2026-01-31T12:00:00+00:00',
);

const beaconEvent = Type.Object({
  id: Type.String({
    maxLength: 64,
    pattern: EVENT_ID_PATTERN,
    description:
      'The same event has the same id, however often it is sent: a random UUID, kept until it is acknowledged.',
  }),
  type: Type.Unsafe<EventType>({ type: 'string', enum: [...eventTypes] }),
  action: Type.Optional(
    Type.String({
      maxLength: 32,
      pattern: EVENT_ACTION_PATTERN,
      description: 'Name of the button; without it the body.',
    }),
  ),
  at: Type.Optional(at),
});

export const beaconBody = Type.Object(
  {
    appId: Type.Optional(
      Type.String({ maxLength: 255, description: 'The app’s identifier, as in X-App-Id.' }),
    ),
    delivery: Type.String({ maxLength: 64, description: '`notification.data.delivery`.' }),
    proof: Type.String({
      maxLength: 64,
      description: '`notification.data.proof`: a browser of the app has received the delivery.',
    }),
    userId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'As it was subscribed with. It proves nothing: an event without a secret counts apart.',
      }),
    ),
    browserSecret: Type.Optional(browserSecretField),
    events: Type.Array(beaconEvent, { minItems: 1, maxItems: MAX_EVENTS }),
  },
  {
    title: 'Beacon',
    examples: [
      {
        appId: 'example-news-k3x9',
        delivery: 'dlv_Zr4pX0qYt2mNw8Ks',
        proof: 'q2K9v0m3y1Zb7cT4xW8eRg',
        userId: exampleUserId,
        browserSecret: exampleSecret,
        events: [
          { id: '0d3c1f62-7c1e-4a55-9a52-0b6f3a7d9e11', type: 'displayed', at: '2026-01-31T12:00:00+00:00' },
          { id: '6f0b8a34-52de-4f0c-8d4b-3f1f5f0c2a90', type: 'clicked', action: 'button-0' },
        ],
      },
    ],
  },
);
export type BeaconBody = Static<typeof beaconBody>;
