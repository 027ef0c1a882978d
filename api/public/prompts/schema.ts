import { Type } from 'typebox';
import type { PromptKind } from '../../shared/prompts/schema.ts';
import { appIdField } from '../subscribe/schema.ts';
import { promptVariantField } from './fields.ts';

export const promptEvents = ['shown', 'accepted', 'granted', 'dismissed'] as const;
export type PromptEvent = (typeof promptEvents)[number];

const optionalText = Type.Optional(Type.String());
const variantSchema = Type.Object({
  kind: Type.Unsafe<PromptKind>({ type: 'string', enum: ['bell', 'bar', 'slide-down'] }),
  place: Type.Optional(
    Type.Unsafe<'left' | 'right' | 'top' | 'bottom'>({
      type: 'string',
      enum: ['left', 'right', 'top', 'bottom'],
    }),
  ),
  ...{ question: optionalText, accept: optionalText, later: optionalText },
  categories: Type.Boolean(),
  colours: Type.Object({
    ...{ background: optionalText, text: optionalText, accent: optionalText, accentText: optionalText },
  }),
});

export const publicPromptsSchema = Type.Object(
  {
    /** Null: the pages of the app show the bell. */
    prompt: Type.Unsafe<PublicPrompt | null>({
      anyOf: [
        Type.Object({
          round: Type.Integer(),
          variants: Type.Array(variantSchema),
          pages: Type.Integer(),
          seconds: Type.Integer(),
          scrollPercent: Type.Integer(),
          showOn: Type.Array(Type.String()),
          hideOn: Type.Array(Type.String()),
          againAfterDays: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
          winBack: Type.Boolean(),
          categories: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
        }),
        { type: 'null' },
      ],
      description: 'Null: nothing is set, and pages show the bell.',
    }),
  },
  {
    title: 'PublicPrompts',
    examples: [
      {
        prompt: {
          round: 3,
          variants: [{ kind: 'slide-down', categories: true, colours: {} }],
          pages: 2,
          seconds: 10,
          scrollPercent: 25,
          showOn: ['/news/*'],
          hideOn: [],
          againAfterDays: 30,
          winBack: true,
          categories: [{ id: 3, name: 'Sport' }],
        },
      },
    ],
  },
);

export interface PublicPrompt {
  readonly round: number;
  readonly variants: readonly PublicVariant[];
  readonly pages: number;
  readonly seconds: number;
  readonly scrollPercent: number;
  readonly showOn: readonly string[];
  readonly hideOn: readonly string[];
  /** Null: never. */
  readonly againAfterDays: number | null;
  readonly winBack: boolean;
  /** Empty: no variant shows them. */
  readonly categories: readonly { readonly id: number; readonly name: string }[];
}

export interface PublicVariant {
  readonly kind: PromptKind;
  readonly place?: 'left' | 'right' | 'top' | 'bottom' | undefined;
  readonly question?: string | undefined;
  readonly accept?: string | undefined;
  readonly later?: string | undefined;
  readonly categories: boolean;
  readonly colours: {
    readonly background?: string | undefined;
    readonly text?: string | undefined;
    readonly accent?: string | undefined;
    readonly accentText?: string | undefined;
  };
}

export const promptEventBody = Type.Object(
  {
    appId: Type.Optional(appIdField),
    promptVariant: promptVariantField,
    event: Type.Unsafe<PromptEvent>({ type: 'string', enum: [...promptEvents] }),
  },
  {
    title: 'PromptEvent',
    examples: [{ appId: 'news-k3x9qa', promptVariant: '3.a', event: 'shown' }],
  },
);
