import { type Static, Type } from 'typebox';
import { abilities } from '../../../auth/abilities.ts';
import { timeField } from '../../../http/fields.ts';
import {
  grantsField,
  nameField,
  newPasswordField,
  passwordField,
  roleField,
  roleWords,
} from '../../fields.ts';

const userExample = {
  id: 7,
  email: 'ada@example.com',
  name: 'Ada',
  role: 'admin',
  grants: [],
  created_at: '2026-01-31T12:00:00+00:00',
};

export const userSchema = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String(),
    name: Type.String(),
    role: roleField(`In the organization; super-admins also manage organizations. ${roleWords}`),
    grants: grantsField('Roles on single apps, each where it is above the role in the organization.'),
    created_at: timeField,
  },
  { title: 'User', examples: [userExample] },
);
export type UserResource = Static<typeof userSchema>;

export const meSchema = Type.Object(
  {
    user: userSchema,
    organization: Type.Object({ id: Type.Integer(), name: Type.String() }),
    abilities: Type.Array(Type.String(), {
      description:
        'The session’s abilities in the client API, on every app of the organization; `grants` add to them.',
    }),
    second_factor: Type.Unsafe<'off' | 'required' | 'on'>({
      type: 'string',
      enum: ['off', 'required', 'on'],
      description:
        '`required`: the organization requires one, and it is not set up: nothing else can be done before.',
    }),
    recovery_codes_left: Type.Integer(),
    has_authenticator_app: Type.Boolean({ description: 'Beside passkeys, which are listed apart.' }),
    has_password: Type.Boolean({ description: 'False: they log in by a provider alone.' }),
    csrf_token: Type.String({
      description: 'Shown as `X-CSRF-Token` by every request of this session other than GET.',
    }),
  },
  {
    title: 'Me',
    examples: [
      {
        user: userExample,
        organization: { id: 1, name: 'Example News' },
        abilities: [...abilities],
        second_factor: 'on',
        recovery_codes_left: 10,
        has_authenticator_app: true,
        has_password: true,
        csrf_token: 'q5Yl0nVJ0m2bT3e8u6m1Yk2x4aZc7Hq9sR1tWvXy0Zg',
      },
    ],
  },
);
export type Me = Static<typeof meSchema>;

export const meBody = Type.Object({ name: nameField }, { title: 'UpdateMe', examples: [{ name: 'Ada' }] });

export const passwordBody = Type.Object(
  { current_password: passwordField, new_password: newPasswordField },
  {
    title: 'ChangePassword',
    examples: [
      { current_password: 'a long line that only Ada knows', new_password: 'another line, just as long' },
    ],
  },
);
