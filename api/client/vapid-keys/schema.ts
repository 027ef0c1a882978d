import { type Static, Type } from 'typebox';
import { nullableTime, timeField } from '../../http/fields.ts';

export const vapidKeySchema = Type.Object(
  {
    id: Type.String({ description: 'Names the key: the beginning of its SHA-256, in hex.' }),
    public_key: Type.String({ description: 'The `applicationServerKey`, base64url.' }),
    state: Type.Unsafe<'active' | 'retiring' | 'ended' | 'retired'>({
      type: 'string',
      enum: ['active', 'retiring', 'ended', 'retired'],
      description:
        '`active`: browsers subscribe with it. `retiring`: subscriptions made with it are sent to, and move to the active key as their browsers come by. `ended`: those left are being unsubscribed. `retired`: none is left, and its private half is gone.',
    }),
    subscriptions: Type.Integer({
      description: 'Subscribed ones that are bound to it: a rotation is done when the retiring key has 0.',
    }),
    created_at: timeField,
    ended_at: nullableTime,
  },
  {
    title: 'VapidKey',
    examples: [
      {
        id: '5f0c1b2a9d3e4f60',
        public_key: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        state: 'active',
        subscriptions: 117_930,
        created_at: '2026-01-31T12:00:00+00:00',
        ended_at: null,
      },
    ],
  },
);
export type VapidKeyResource = Static<typeof vapidKeySchema>;
