import { type Static, Type } from 'typebox';
import { passingOver } from '../../../engine/kit/http/rules.ts';
import { nullable, nullableTime } from '../../http/fields.ts';

export const promptKinds = ['bell', 'bar', 'slide-down'] as const;
export type PromptKind = (typeof promptKinds)[number];

export const variantKeys = ['a', 'b'] as const;
export type VariantKey = (typeof variantKeys)[number];

const MAX_TEXT = 200;
const MAX_PATHS = 20;

const text = (description: string) => Type.Optional(Type.String({ maxLength: MAX_TEXT, description }));
const colour = (description: string) =>
  Type.Optional(Type.String({ maxLength: 7, pattern: '^#[0-9a-fA-F]{6}$', description }));
const colours = Type.Object(
  {
    background: colour('Of the prompt.'),
    text: colour('On it.'),
    accent: colour('Of the button that says yes.'),
    accent_text: colour('On that.'),
  },
  { description: 'As `#rrggbb`. Those that are left out are white, black and blue.' },
);

const variant = Type.Object({
  kind: Type.Unsafe<PromptKind>({
    type: 'string',
    enum: [...promptKinds],
    description:
      'A bell stays in a corner, and turns notifications off, too. A bar lies along an edge. A slide-down comes from the top, and can show the app’s categories.',
  }),
  place: Type.Optional(
    Type.Unsafe<'left' | 'right' | 'top' | 'bottom'>({
      type: 'string',
      enum: ['left', 'right', 'top', 'bottom'],
      description: 'Of a bell `left` or `right`, of a bar `top` or `bottom`; otherwise ignored.',
    }),
  ),
  question: text('Left out: the SDK’s own, in the language of the page.'),
  accept: text('On the button that says yes.'),
  later: text('On the button that says not now.'),
  categories: Type.Optional(
    Type.Boolean({ description: 'Of a slide-down: readers choose among the app’s first 12 categories.' }),
  ),
  colours: Type.Optional(colours),
});

const paths = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '^[/*]' }), {
      maxItems: MAX_PATHS,
      description: `${description} Paths such as \`/news/*\`, where \`*\` stands for any characters.`,
    }),
  );

const fields = {
  enabled: Type.Boolean({ description: 'False: pages show the bell, as for an app without prompts.' }),
  variants: Type.Array(variant, {
    minItems: 1,
    maxItems: 2,
    description: 'With two, each browser gets one of them by lot, and keeps it.',
  }),
  pages: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Not before this page view. 1 when left out.' }),
  ),
  seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 600, description: 'After this time on the page. 3 when left out.' }),
  ),
  scroll_percent: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'After this part of the page. 0 when left out.' }),
  ),
  show_on: paths('Only on these pages; everywhere when empty.'),
  hide_on: paths('On none of these pages.'),
  ask_again_after_days: Type.Optional(
    Type.Unsafe<3 | 7 | 30 | null>({
      type: ['integer', 'null'],
      enum: [3, 7, 30, null],
      description: 'After a “not now”. Null or left out: never.',
    }),
  ),
};

const example = {
  enabled: true,
  variants: [
    { kind: 'slide-down', categories: true },
    { kind: 'bar', place: 'bottom', question: 'Storm warnings for your coast?' },
  ],
  pages: 2,
  seconds: 10,
  scroll_percent: 25,
  show_on: ['/news/*'],
  hide_on: ['/news/subscribe*'],
  ask_again_after_days: 30,
};

/** Bells and bars wait for no rule but the addresses; the words of each field say more. */
export const promptsBody = passingOver(
  Type.Object(fields, { title: 'PromptsSetting', examples: [example] }),
  ['round', 'updated_at'],
);
export type PromptsBody = Static<typeof promptsBody>;

/** As it is stored: every field is there. */
export interface PromptSettings {
  readonly enabled: boolean;
  readonly variants: readonly Static<typeof variant>[];
  readonly pages: number;
  readonly seconds: number;
  readonly scroll_percent: number;
  readonly show_on: readonly string[];
  readonly hide_on: readonly string[];
  readonly ask_again_after_days: 3 | 7 | 30 | null;
}

export const promptsSchema = Type.Object(
  {
    enabled: Type.Boolean(),
    variants: Type.Array(variant),
    pages: Type.Integer(),
    seconds: Type.Integer(),
    scroll_percent: Type.Integer(),
    show_on: Type.Array(Type.String()),
    hide_on: Type.Array(Type.String()),
    ask_again_after_days: nullable<3 | 7 | 30>({ type: 'integer' }),
    round: Type.Integer({ description: 'Starts again when the variants change; 0: nothing is set.' }),
    updated_at: nullableTime,
  },
  {
    title: 'Prompts',
    examples: [{ ...example, round: 3, updated_at: '2026-01-31T12:00:00+00:00' }],
  },
);

const count = (description: string) => Type.Integer({ description });
const interval = Type.Unsafe<[number, number] | null>({
  type: ['array', 'null'],
  items: { type: 'number' },
  description:
    'Percent: the rate is between these with a probability of 95 %. Null: too early to say, as `probability_best`.',
});
const resultSchema = Type.Object({
  variant: Type.Unsafe<VariantKey>({ type: 'string', enum: [...variantKeys] }),
  kind: Type.Unsafe<PromptKind>({ type: 'string', enum: [...promptKinds] }),
  shown: count('Browsers say so, as of the next three: a stranger can invent them.'),
  accepted: count('Readers said yes to the prompt.'),
  granted: count('And then to the browser.'),
  dismissed: count('Readers said not now.'),
  subscribed: count('New subscriptions that name this variant. Of all these, what decides.'),
  rate: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'Percent: subscribed of shown.',
  }),
  interval,
  probability_best: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description:
      'From 0 to 1. Null: too early to say, as some variant was shown to fewer than 100 readers, or nobody has subscribed.',
  }),
});

export const promptResultsSchema = Type.Object(
  {
    round: Type.Integer(),
    since: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date',
      description: 'Of the first count.',
    }),
    variants: Type.Array(resultSchema),
  },
  {
    title: 'PromptResults',
    examples: [
      {
        round: 3,
        since: '2026-01-31',
        variants: [
          {
            variant: 'a',
            kind: 'slide-down',
            shown: 4_120,
            accepted: 512,
            granted: 430,
            dismissed: 2_204,
            subscribed: 428,
            rate: 10.39,
            interval: [9.5, 11.36],
            probability_best: 0.97,
          },
        ],
      },
    ],
  },
);
