import { Type } from 'typebox';
import { organizationField, passwordField } from '../../fields.ts';

const codeField = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Six digits of an authenticator app, or a recovery code.',
});
const password = 'a long line that only Ada knows';

export const halfSchema = Type.Object(
  { second_factor: Type.Literal('asked') },
  { title: 'HalfLogIn', examples: [{ second_factor: 'asked' }] },
);
export const codeBody = Type.Object(
  { code: codeField },
  { title: 'LogInCode', examples: [{ code: '123456' }] },
);
export const passwordOnlyBody = Type.Object(
  {
    current_password: Type.Optional({
      ...passwordField,
      description: 'Users without a password leave it out, within 10 minutes of their log-in.',
    }),
  },
  { title: 'OwnPassword', examples: [{ current_password: password }] },
);
export const newFactorSchema = Type.Object(
  {
    secret: Type.String({ description: 'In base32, to type into an authenticator app. Never shown again.' }),
    uri: Type.String({ description: 'The same as `otpauth://…`, for apps that open it.' }),
  },
  {
    title: 'NewSecondFactor',
    examples: [
      {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/Broadside:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Broadside',
      },
    ],
  },
);
export const recoverySchema = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Each works once, in place of a code. Never shown again.',
    }),
  },
  { title: 'RecoveryCodes', examples: [{ recovery_codes: ['abcd-efgh-jkmn-pqrs'] }] },
);
export const ruleSchema = Type.Object(
  {
    required: Type.Boolean({ description: 'Whether every user of the organization needs a second factor.' }),
  },
  { title: 'SecondFactorRule', examples: [{ required: true }] },
);
export const ruleBody = Type.Object(
  { required: Type.Boolean(), organization_id: organizationField },
  { title: 'ChangeSecondFactorRule', examples: [{ required: true }] },
);
