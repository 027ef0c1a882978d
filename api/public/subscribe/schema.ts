import { type Static, Type } from 'typebox';
import { boundedRecord } from '../../../engine/contract/concurrency/bounded-record.ts';
import { browserSecretField } from '../browser-name.ts';
import { promptVariantField } from '../prompts/fields.ts';

const MAX_EXTERNAL_IDS = 20;
const MAX_CATEGORIES = 100;
const MAX_INT4 = 2_147_483_647;

export const appIdField = Type.String({
  maxLength: 255,
  description: 'The app’s identifier, the same as in X-App-Id.',
});
export const userIdField = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'Browser-side id of the user. Without a `browserSecret`, anyone who knows it can change this subscription: make it random, and keep it in the browser. The id of an account, which may have many browsers, belongs in `externalIds`.',
});

export const browserSubscription = Type.Object(
  {
    endpoint: Type.String({
      maxLength: 2_048,
      description: 'An https URL at a known push service.',
      documented: { format: 'uri', pattern: '^https://' },
    }),
    expirationTime: Type.Optional(
      Type.Unsafe<number | string | null>({
        type: ['number', 'string', 'null'],
        maxLength: 255,
        description: 'Taken as browsers give it, and not kept: push services say when a subscription ended.',
      }),
    ),
    keys: Type.Object({
      p256dh: Type.String({ maxLength: 128, description: 'Uncompressed P-256 point, base64url.' }),
      auth: Type.String({ maxLength: 64, description: '16 bytes, base64url.' }),
    }),
  },
  { description: 'As `PushSubscription.toJSON()` gives it.' },
);

export const externalIdsField = boundedRecord({ maxLength: 64 }, Type.String({ maxLength: 255 }), {
  maxProperties: MAX_EXTERNAL_IDS,
  description:
    'Ids of the user elsewhere, such as `oid_cookie`. Added to those that are kept; where that made more than 50, these replace them.',
});

export const exampleUserId = '5c0e4b0e-6f5d-4a1b-9d3c-8e2f7a9b1c46';
export const exampleSecret = 'Tq3vX0uYb8nKcR5wZ1fHsL7dJ9mPa2gEiO4tVxQyU6k';

export const exampleSubscription = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/cWzJ8Kp3mX0:APA91bH',
  expirationTime: null,
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

export const vapidKeyField = Type.String({
  maxLength: 128,
  description:
    'The public key that the subscription was made with (`applicationServerKey`), base64url. A key that the app does not use any more is refused: subscribe again with the current one. Left out: an endpoint that is known keeps its key, and a new one is taken for the current key’s.',
});

export const timeZoneField = Type.String({
  maxLength: 64,
  description:
    'IANA time zone of the reader, as `Intl.DateTimeFormat().resolvedOptions().timeZone` gives it. An unknown one changes nothing. Until one is stated, the app’s own applies.',
});

export const readerLanguageField = Type.String({
  maxLength: 64,
  description:
    'BCP 47 language of the reader, as `navigator.language` gives it: chooses among the languages of a delivery. One that is none changes nothing.',
});

export const secondsOnSiteField = Type.Integer({
  minimum: 0,
  maximum: MAX_INT4,
  description:
    'How long the site’s pages were in view since the browser last said so. Counted with a `browserSecret` alone, and no more than the time since then or four hours.',
});

export const subscribeBody = Type.Object(
  {
    appId: Type.Optional(appIdField),
    userId: Type.Optional(userIdField),
    browserSecret: Type.Optional(browserSecretField),
    subscription: browserSubscription,
    vapidKey: Type.Optional(vapidKeyField),
    externalIds: Type.Optional(externalIdsField),
    timeZone: Type.Optional(timeZoneField),
    language: Type.Optional(readerLanguageField),
    promptVariant: Type.Optional(promptVariantField),
    secondsOnSite: Type.Optional(secondsOnSiteField),
    categoryIds: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: MAX_INT4 }), {
        maxItems: MAX_CATEGORIES,
        description:
          'Delivery categories that the user chose: deliveries in other categories are not sent to this browser, and an empty array is a choice of none. Ids that are not a category of the app (any more) are dropped. Left out: the choice stays as it was; a browser that never stated one receives every category.',
      }),
    ),
  },
  {
    title: 'Subscribe',
    examples: [
      {
        appId: 'news-k3x9qa',
        userId: exampleUserId,
        browserSecret: exampleSecret,
        subscription: exampleSubscription,
        externalIds: { oid_cookie: '9f31' },
        timeZone: 'Europe/Berlin',
        language: 'de-AT',
        categoryIds: [3, 7],
      },
    ],
  },
);
export type SubscribeBody = Static<typeof subscribeBody>;

export const subscribed = Type.Object({ success: Type.Literal(true) }, { title: 'Subscribed' });
export const refused = Type.Object(
  { success: Type.Literal(false), message: Type.Literal('Invalid request.') },
  { title: 'InvalidRequest' },
);
