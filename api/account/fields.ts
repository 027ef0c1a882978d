import { type TSchema, Type } from 'typebox';
import { problemSchema, validationProblemSchema } from '../../engine/kit/http/problem.ts';
import type { Rule } from '../../engine/kit/http/rules.ts';
import { type Role, roles } from '../auth/abilities.ts';
import { type GrantedRole, grantedRoles } from '../auth/app-roles.ts';
import { idField, shortText } from '../http/fields.ts';

export const tags = ['Account'];
export const security = [{ session: [] }];

/** The common answers of account routes that need a session. */
export const accountAnswers = <const Own extends Record<number, TSchema>>(own: Own) => ({
  400: problemSchema,
  401: problemSchema,
  403: problemSchema,
  422: validationProblemSchema,
  429: problemSchema,
  503: problemSchema,
  ...own,
});

export const nothing = Type.Null({ description: 'No body.' });

const MAX_TEXT = 255;
const emailShape = /^[^@\s]+@[^@\s]+$/;
export const isEmail = (text: string): boolean => text.length <= MAX_TEXT && emailShape.test(text);

export const emailField = (description: string) =>
  Type.Refine(
    Type.String({ maxLength: MAX_TEXT, description, documented: { pattern: emailShape.source } }),
    (text) => typeof text !== 'string' || isEmail(text),
    () => 'must be an e-mail address',
  );

export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 256;

/** A new password. Length is what counts: no rule requires digits or special characters. */
export const newPasswordField = Type.String({
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  description:
    'Not the e-mail address, the organization’s name, or one of the most common passwords; otherwise any characters.',
});
/** A password to be checked. */
export const passwordField = Type.String({ minLength: 1, maxLength: MAX_PASSWORD });

export const nameField = shortText('The name of the person.');
export const notBlank = (field: string): Rule => ({
  field,
  words: 'must not be blank',
  holds: (body) => typeof body[field] !== 'string' || body[field] === '' || body[field].trim() !== '',
});

export const roleField = (description: string) =>
  Type.Unsafe<Role>({ type: 'string', enum: [...roles], description });

export const roleWords =
  'A member can do everything that is not reserved for admins; a reader can change nothing; a guest has no role in the organization, and sees only the apps of their grants.';

/** Of one user. */
const MOST_GRANTS = 500;
const grant = Type.Object(
  {
    app: Type.String({ minLength: 1, maxLength: 255, description: 'The app’s identifier.' }),
    role: Type.Unsafe<GrantedRole>({
      type: 'string',
      enum: [...grantedRoles],
      description:
        'On the app: a `reader` changes nothing; what an `author` writes waits for an `approver`, who also sends and keeps the readers’ data; an `admin` does all that an admin of the organization does there.',
    }),
  },
  { title: 'Grant', examples: [{ app: 'example-sports-k7m2pq', role: 'author' }] },
);
export const grantsField = (description: string) => Type.Array(grant, { maxItems: MOST_GRANTS, description });
export const oncePerApp: Rule = {
  field: 'grants',
  words: 'must not name an app twice',
  holds: ({ grants }) =>
    !Array.isArray(grants) || new Set(grants.map((each) => each?.app)).size === grants.length,
};

export const organizationField = Type.Optional(
  idField('For super-admins only: another organization than their own.'),
);
export const organizationQuery = { organization_id: organizationField };
