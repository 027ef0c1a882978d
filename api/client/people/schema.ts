import { type Static, Type } from 'typebox';
import { idField, timeField } from '../../http/fields.ts';

/** The API document allows as much for each of them. */
const MAX_TEXT = 255;
const MAX_ENDPOINT = 2_048;

const externalId = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64, examples: ['account'] }),
  value: Type.String({ minLength: 1, maxLength: MAX_TEXT, examples: ['9f31'] }),
});

/** How a person is named: by exactly one of them. */
export const personBody = Type.Object(
  {
    user_identity: Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_TEXT, description: 'Every subscription with this one.' }),
    ),
    external_id: Type.Optional(externalId),
    endpoint: Type.Optional(
      Type.String({
        pattern: '^https://',
        minLength: 1,
        maxLength: MAX_ENDPOINT,
        description: 'The one subscription of this browser.',
      }),
    ),
  },
  {
    title: 'Person',
    description: 'Exactly one of the three.',
    examples: [{ user_identity: 'b7e2c1d4-6a52-4a0e-9d1f-0c7be1a2f3d4' }],
  },
);
export type PersonBody = Static<typeof personBody>;

const text = Type.String();

export const personSchema = Type.Object(
  {
    subscriptions: Type.Array(
      Type.Object(
        { id: Type.Integer(), endpoint: Type.String({ format: 'uri' }) },
        {
          additionalProperties: true,
          description: 'Every column that is stored, and what other tables have of it.',
        },
      ),
    ),
    attempts: Type.Array(
      Type.Object({
        subscription_id: Type.Integer(),
        delivery_id: Type.Integer(),
        at: timeField,
        outcome: text,
        status: Type.Integer(),
        push_service: text,
      }),
      {
        description:
          'Messages that were sent: of up to 1,000 subscriptions the newest first, then of the next ones.',
      },
    ),
    events: Type.Array(
      Type.Object({
        subscription_id: Type.Integer(),
        delivery_id: Type.Integer(),
        at: timeField,
        type: text,
        action: text,
      }),
      { description: 'What browsers reported, in the same order.' },
    ),
  },
  {
    title: 'PersonalData',
    examples: [
      {
        subscriptions: [
          {
            id: 4_711,
            endpoint: 'https://push.example.com/send/9f31',
            status: 'subscribed',
            user_identity: 'b7e2c1d4-6a52-4a0e-9d1f-0c7be1a2f3d4',
            external_ids: { account: '9f31' },
            tags: { plan: 'free' },
            notifications_sent: 1,
          },
        ],
        attempts: [
          {
            ...{ subscription_id: 4_711, delivery_id: 12, at: '2026-01-31T12:00:00.123Z' },
            ...{ outcome: 'accepted', status: 201, push_service: 'fcm' },
          },
        ],
        events: [
          {
            ...{ subscription_id: 4_711, delivery_id: 12, at: '2026-01-31T12:01:00.456Z' },
            ...{ type: 'clicked', action: '' },
          },
        ],
      },
    ],
  },
);

const storeNames = ['postgres', 'clickhouse', 'log', 'images'] as const;
const storeStates = ['erased', 'erasing', 'nothing stored'] as const;

const storeSchema = Type.Object({
  store: Type.Unsafe<(typeof storeNames)[number]>({ type: 'string', enum: [...storeNames] }),
  state: Type.Unsafe<(typeof storeStates)[number]>({ type: 'string', enum: [...storeStates] }),
  note: text,
});
export type ErasedStore = Static<typeof storeSchema>;

export const erasureSchema = Type.Object(
  {
    id: idField('Of the receipt.'),
    requested_at: timeField,
    named_by: Type.Unsafe<'user_identity' | 'external_id' | 'endpoint'>({
      type: 'string',
      enum: ['user_identity', 'external_id', 'endpoint'],
      description: 'By what, not whom: the receipt holds nothing of the person.',
    }),
    subscriptions: Type.Integer({ description: 'How many were erased.' }),
    waiting: Type.Integer({
      description: 'How many are still to be erased, where more than 1,000 were named; engines take minutes.',
    }),
    state: Type.Unsafe<'running' | 'complete'>({ type: 'string', enum: ['running', 'complete'] }),
    complete_by: Type.Union([timeField, Type.Null()], {
      description: 'When it will be complete at the latest, if ClickHouse answers until then; null: it is.',
    }),
    completed_at: Type.Union([timeField, Type.Null()]),
    stores: Type.Array(storeSchema),
    remains: Type.Array(Type.Object({ what: text, why: text })),
  },
  {
    title: 'Erasure',
    examples: [
      {
        id: 7,
        requested_at: '2026-01-31T12:00:00+00:00',
        named_by: 'user_identity',
        subscriptions: 2,
        waiting: 0,
        state: 'running',
        complete_by: '2026-02-10T00:30:00+00:00',
        completed_at: null,
        stores: [
          {
            store: 'postgres',
            state: 'erased',
            note: 'In the transaction that made this receipt: subscriptions, tags, activity, search words, test browsers.',
          },
        ],
        remains: [
          {
            what: 'Entries of the audit log that name a subscription by its number, and this erasure',
            why: 'They show who did what; no number leads to anybody any more.',
          },
        ],
      },
    ],
  },
);
export type ErasureResource = Static<typeof erasureSchema>;

export const namesOf = (body: PersonBody): readonly (keyof PersonBody)[] =>
  (['user_identity', 'external_id', 'endpoint'] as const).filter((name) => body[name] !== undefined);
