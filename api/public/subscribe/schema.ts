import { type Static, Type } from 'typebox';

const MAX_EXTERNAL_IDS = 20;
const MAX_CATEGORIES = 100;

export const subscribeBody = Type.Object({
  appId: Type.Optional(Type.String({ description: 'The app’s identifier, as in X-App-Id.' })),
  userId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Browser-side id: the same one moves the subscription.',
    }),
  ),
  subscription: Type.Object({
    endpoint: Type.String({ maxLength: 2_048 }),
    expirationTime: Type.Optional(
      Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'] }),
    ),
    keys: Type.Object({
      p256dh: Type.String({ maxLength: 128, description: 'Uncompressed P-256 point, base64url.' }),
      auth: Type.String({ maxLength: 64, description: '16 bytes, base64url.' }),
    }),
  }),
  externalIds: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 255 }), {
      maxProperties: MAX_EXTERNAL_IDS,
    }),
  ),
  categoryIds: Type.Optional(Type.Array(Type.Integer(), { maxItems: MAX_CATEGORIES })),
});
export type SubscribeBody = Static<typeof subscribeBody>;

export const subscribed = Type.Object({ success: Type.Literal(true) });
export const refused = Type.Object({
  success: Type.Literal(false),
  message: Type.Literal('Invalid request.'),
});
