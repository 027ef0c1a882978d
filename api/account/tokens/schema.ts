import { Type } from 'typebox';
import { type Ability, abilities } from '../../auth/abilities.ts';
import { futureTime, nullable, shortText, timeField } from '../../client/fields.ts';

const ability = Type.Unsafe<Ability>({ type: 'string', enum: [...abilities] });
const tokenExample = {
  id: 12,
  name: 'Editorial system',
  abilities: ['apps:read', 'deliveries:write'],
  created_at: '2026-01-31T12:00:00+00:00',
  last_used_at: null,
  expires_at: '2027-01-31T12:00:00+00:00',
};

const tokenFields = {
  id: Type.Integer(),
  name: Type.String(),
  abilities: Type.Array(ability),
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
  },
  {
    title: 'NewToken',
    examples: [{ ...tokenExample, token: '12|q5Yl0nVJ0m2bT3e8u6m1Yk2x4aZc7Hq9sR1tWvXy0Zg' }],
  },
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
  },
  { title: 'CreateToken', examples: [{ name: tokenExample.name, abilities: tokenExample.abilities }] },
);
