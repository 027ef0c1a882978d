import { type Static, Type } from 'typebox';
import { passingOver } from '../../../engine/kit/http/rules.ts';
import { nullableText, shortText, storedFields, timeField } from '../../http/fields.ts';
import { pageFields } from '../../http/page.ts';

/** As JSON, below the limit of a request's body. */
const MAX_VALUES_CHARS = 50_000;

const kind = Type.Unsafe<'draft' | 'template'>({
  type: 'string',
  enum: ['draft', 'template'],
  description: 'A draft is sent once; a template is begun with again and again.',
});
const name = shortText('For people.');
const values = Type.Refine(
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    maxProperties: 200,
    description:
      'What was written so far: values of the dashboard’s page to compose, which ignores names that it does not know. ' +
      `Nothing is checked here but their size: at most ${MAX_VALUES_CHARS} characters as JSON.`,
  }),
  (given) => JSON.stringify(given).length <= MAX_VALUES_CHARS,
  () => `must have at most ${MAX_VALUES_CHARS} characters as JSON`,
);
const valuesExample = {
  title: 'Storm hits the coast',
  body: 'What to know',
  url: 'https://news.example.com/',
};

export const draftBody = Type.Object(
  { kind, name, values },
  {
    title: 'NewDraft',
    examples: [{ kind: 'draft', name: 'Storm hits the coast', values: valuesExample }],
  },
);
export type DraftBody = Static<typeof draftBody>;

/** Postgres keeps it as an integer. */
const version = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Raised by every change.' });

export const draftSaveBody = passingOver(
  Type.Object(
    {
      name,
      values,
      version: {
        ...version,
        description: 'The one that you have read: refused with 409 where somebody has changed it since.',
      },
    },
    {
      title: 'DraftSave',
      examples: [{ name: 'Storm hits the coast', values: valuesExample, version: 1 }],
    },
  ),
  [
    ...storedFields,
    ...['kind', 'changed_by', 'changed_by_name', 'author_name', 'assignee', 'assigned_by_name', 'comment'],
  ],
);
export type DraftSaveBody = Static<typeof draftSaveBody>;

const example = {
  id: 7,
  kind: 'draft',
  name: 'Storm hits the coast',
  version: 3,
  changed_by: 'ada@example.com',
  changed_by_name: 'Ada Lovelace',
  author_name: 'Ada Lovelace',
  assignee: { email: 'grace@example.com', name: 'Grace Hopper' },
  assigned_by_name: 'Ada Lovelace',
  comment: 'Check the times of the trains.',
  created_at: '2026-01-31T12:00:00+00:00',
  updated_at: '2026-01-31T12:04:00+00:00',
} as const;

export const draftSchema = Type.Object(
  {
    id: Type.Integer(),
    kind,
    name,
    version,
    changed_by: Type.String({ description: 'Who saved it last.' }),
    changed_by_name: nullableText,
    author_name: nullableText,
    assignee: Type.Unsafe<{ readonly email: string; readonly name: string } | null>({
      type: ['object', 'null'],
      properties: { email: { type: 'string' }, name: { type: 'string' } },
      required: ['email', 'name'],
      description: 'Who is asked to write on it. Null: nobody.',
    }),
    assigned_by_name: nullableText,
    comment: Type.String({ description: 'What was said to the assignee.' }),
    created_at: timeField,
    updated_at: timeField,
  },
  { title: 'Draft', examples: [example] },
);
export type DraftResource = Static<typeof draftSchema>;

export const draftDetailSchema = Type.Object(
  { ...draftSchema.properties, values },
  { title: 'DraftDetail', examples: [{ ...example, values: valuesExample }] },
);

const MAX_COMMENT_CHARS = 500;

export const draftAssignment = Type.Object(
  {
    email: Type.Optional(
      Type.Union([Type.String({ maxLength: 255, examples: ['grace@example.com'] }), Type.Null()], {
        description:
          'Somebody of the organization who may write on this app. Null, or left out: nobody is asked any more.',
      }),
    ),
    comment: Type.Optional(
      Type.String({ maxLength: MAX_COMMENT_CHARS, default: '', description: 'What they are to do.' }),
    ),
  },
  { title: 'DraftAssignment', examples: [{ email: null, comment: '' }] },
);

export const draftConflict = Type.Object(
  {
    message: Type.String({ description: 'For people.' }),
    code: Type.Unsafe<'changed'>({ type: 'string', enum: ['changed'] }),
    draft: draftSchema,
  },
  {
    title: 'DraftConflict',
    examples: [
      {
        message: 'ada@example.com has changed it meanwhile. Read it again, or save yours as another one.',
        code: 'changed',
        draft: example,
      },
    ],
  },
);

export const draftFilters = Type.Object({
  ...pageFields,
  kind: Type.Optional(kind),
});
