import { Type } from 'typebox';
import { newPasswordField } from '../../fields.ts';
import { linkExample, linkField } from '../password-by-link.ts';

export const askBody = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 255 }) },
  { title: 'AskPasswordReset', examples: [{ email: 'ada@example.com' }] },
);

export const openResetBody = Type.Object(
  { reset: linkField },
  { title: 'OpenPasswordReset', examples: [{ reset: linkExample }] },
);

export const openResetSchema = Type.Object(
  { email: Type.String({ description: 'Of the account.' }) },
  { title: 'PasswordReset', examples: [{ email: 'ada@example.com' }] },
);

export const resetBody = Type.Object(
  { reset: linkField, password: newPasswordField },
  {
    title: 'ResetPassword',
    examples: [{ reset: linkExample, password: 'a long line that only Ada knows' }],
  },
);
