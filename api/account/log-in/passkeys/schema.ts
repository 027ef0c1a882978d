import { Type } from 'typebox';
import { nullableTime, shortText, timeField } from '../../../http/fields.ts';

/** WebAuthn has formats of its own for both, which browsers read and write: they are passed on as they are. */
const optionsField = Type.String({
  description:
    'JSON, for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.',
});
const answerField = Type.String({
  minLength: 2,
  maxLength: 32_768,
  description: 'JSON: what `PublicKeyCredential.toJSON` gives.',
});
const answerExample = '{"id":"q5Yl0nVJ0m2bT3e8u6m1Yg","type":"public-key"}';

export const passkeyOptionsSchema = Type.Object(
  { options: optionsField },
  { title: 'PasskeyOptions', examples: [{ options: '{"challenge":"q5Yl0nVJ0m2bT3e8u6m1Yg"}' }] },
);
const passkeyExample = {
  id: 4,
  name: 'Phone',
  created_at: '2030-01-31T12:00:00+00:00',
  last_used_at: null,
  stopped: false,
};
export const passkeySchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created_at: timeField,
    last_used_at: nullableTime,
    stopped: Type.Boolean({
      description:
        'Its counter went back, so there may be a copy of it. Nobody can log in with it: remove it.',
    }),
  },
  { title: 'Passkey', examples: [passkeyExample] },
);
const nameField = shortText('Helps its user to recognize it.');
export const addPasskeyBody = Type.Object(
  { name: nameField, answer: answerField },
  { title: 'AddPasskey', examples: [{ name: 'Phone', answer: answerExample }] },
);
export const addedSchema = Type.Object(
  {
    passkey: passkeySchema,
    recovery_codes: Type.Array(Type.String(), {
      description:
        'Of the first factor of a user: each works once, and is never shown again. Empty for further factors.',
    }),
  },
  {
    title: 'AddedPasskey',
    examples: [
      {
        passkey: passkeyExample,
        recovery_codes: ['abcd-efgh-jkmn-pqrs'],
      },
    ],
  },
);
export const renamePasskeyBody = Type.Object(
  { name: nameField },
  { title: 'RenamePasskey', examples: [{ name: 'Old phone' }] },
);
export const passkeyAnswerBody = Type.Object(
  { answer: answerField },
  { title: 'PasskeyAnswer', examples: [{ answer: answerExample }] },
);
