import { Type } from 'typebox';
import { isAddressRange } from '../../../../engine/kit/http/address-ranges.ts';
import { type Ability, abilities } from '../../../auth/abilities.ts';
import { futureTime, nullable, shortText, timeField } from '../../../http/fields.ts';

const ability = Type.Unsafe<Ability>({ type: 'string', enum: [...abilities] });
const tokenExample = {
  id: 12,
  name: 'Editorial system',
  abilities: ['apps:read', 'deliveries:write'],
  apps: null,
  addresses: ['192.0.2.0/24'],
  created_at: '2026-01-31T12:00:00+00:00',
  last_used_at: null,
  expires_at: '2027-01-31T12:00:00+00:00',
};

const nullableList = (description: string) =>
  Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' }, description });

const tokenFields = {
  id: Type.Integer(),
  name: Type.String(),
  abilities: Type.Array(ability),
  apps: nullableList(
    'The identifiers of the apps that it is limited to; null: every app of the organization.',
  ),
  addresses: nullableList('The addresses and ranges that it may be used from; null: any.'),
  created_at: timeField,
  last_used_at: nullable<string>({
    type: 'string',
    format: 'date-time',
    description: 'To the minute; null: never.',
  }),
  expires_at: nullable<string>({
    type: 'string',
    format: 'date-time',
    description: 'The expiry; null: it never expires.',
  }),
};
export const tokenSchema = Type.Object(tokenFields, { title: 'Token', examples: [tokenExample] });
export const newTokenSchema = Type.Object(
  {
    ...tokenFields,
    token: Type.String({ description: '`<token_id>|<secret>`: shown in this answer and never again.' }),
    note: nullable<string>({
      type: 'string',
      description:
        'For people: the abilities that its owner’s role does not have, so that what needs them is answered 403. Null: none.',
    }),
  },
  {
    title: 'NewToken',
    examples: [{ ...tokenExample, token: '12|q5Yl0nVJ0m2bT3e8u6m1Yk2x4aZc7Hq9sR1tWvXy0Zg', note: null }],
  },
);

export const MAX_APPS = 100;
export const MAX_ADDRESSES = 50;
const addressRange = Type.Refine(
  Type.String({ maxLength: 64 }),
  (text) => typeof text !== 'string' || isAddressRange(text),
  () => 'must be an address such as 192.0.2.7, or a range such as 192.0.2.0/24',
);

export const tokenBody = Type.Object(
  {
    name: shortText('The purpose of the token.'),
    abilities: Type.Array(ability, {
      minItems: 1,
      maxItems: abilities.length,
      description: 'One or more.',
    }),
    expires_at: Type.Optional(
      futureTime('The expiry; without an offset it is UTC. Absent: it never expires.'),
    ),
    apps: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        minItems: 1,
        maxItems: MAX_APPS,
        description:
          'The identifiers of the apps that it is limited to. Others do not exist for it, and what concerns the whole organization (creating apps, webhooks) is answered 403. Absent: every app.',
      }),
    ),
    addresses: Type.Optional(
      Type.Array(addressRange, {
        minItems: 1,
        maxItems: MAX_ADDRESSES,
        description:
          'The addresses that it may be used from, as `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/32`. From elsewhere it is answered 401, like a wrong token. Absent: from anywhere.',
      }),
    ),
  },
  {
    title: 'CreateToken',
    examples: [
      { name: tokenExample.name, abilities: tokenExample.abilities, addresses: tokenExample.addresses },
    ],
  },
);
