import type { Prompts, PromptsBody } from '../data/prompts/queries.ts';
import { t } from '../texts/t.ts';

type Variant = Prompts['variants'][number];
export type Kind = Variant['kind'];
type Place = NonNullable<Variant['place']>;

/** What a form holds of a variant; an empty text stands for the SDK's own. */
export interface VariantValues {
  readonly kind: Kind;
  readonly place: Place | '';
  readonly question: string;
  readonly accept: string;
  readonly later: string;
  readonly categories: boolean;
  readonly background: string;
  readonly text: string;
  readonly accent: string;
  readonly accent_text: string;
}

export interface PromptValues {
  readonly enabled: boolean;
  readonly variants: readonly VariantValues[];
  readonly pages: number | string;
  readonly seconds: number | string;
  readonly scroll_percent: number | string;
  /** A path a line. */
  readonly show_on: string;
  readonly hide_on: string;
  /** `never`, or days. */
  readonly again: string;
  readonly win_back: boolean;
}

/** As people call them. */
export const variantNames = ['A', 'B'] as const;

export const kinds: readonly Kind[] = ['slide-down', 'bar', 'bell'];
export const placesOf: Readonly<Record<Kind, readonly Place[]>> = {
  'slide-down': [],
  bar: ['bottom', 'top'],
  bell: ['right', 'left'],
};
export const agains = ['3', '7', '30', 'never'] as const;

export const colours = { background: '#ffffff', text: '#1a1a1a', accent: '#0b57d0', accent_text: '#ffffff' };

export const newVariant: VariantValues = {
  ...{ kind: 'slide-down', place: '', question: '', accept: '', later: '', categories: false },
  ...colours,
};

export const valuesOf = (prompts: Prompts): PromptValues => ({
  enabled: prompts.enabled,
  variants: prompts.variants.map(({ colours: own, ...variant }) => ({ ...newVariant, ...variant, ...own })),
  pages: prompts.pages,
  seconds: prompts.seconds,
  scroll_percent: prompts.scroll_percent,
  show_on: prompts.show_on.join('\n'),
  hide_on: prompts.hide_on.join('\n'),
  again: prompts.ask_again_after_days === null ? 'never' : String(prompts.ask_again_after_days),
  win_back: prompts.win_back,
});

export const bodyOf = (values: PromptValues): PromptsBody => ({
  enabled: values.enabled,
  variants: values.variants.map(variantOf),
  pages: Number(values.pages),
  seconds: Number(values.seconds),
  scroll_percent: Number(values.scroll_percent),
  show_on: linesOf(values.show_on),
  hide_on: linesOf(values.hide_on),
  ask_again_after_days: values.again === 'never' ? null : (Number(values.again) as 3 | 7 | 30),
  win_back: values.win_back,
});

function variantOf({ kind, place, question, accept, later, categories, ...chosen }: VariantValues): Variant {
  return {
    kind,
    ...(place !== '' && placesOf[kind].includes(place) && { place }),
    ...(question.trim() !== '' && { question: question.trim() }),
    ...(accept.trim() !== '' && { accept: accept.trim() }),
    ...(later.trim() !== '' && { later: later.trim() }),
    ...(kind === 'slide-down' && categories && { categories }),
    colours: Object.fromEntries(
      Object.entries(colours).flatMap(([name, own]) => {
        const value = chosen[name as keyof typeof colours];
        return value === own || value === '' ? [] : [[name, value]];
      }),
    ),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const badPath = (text: string): string | null =>
  linesOf(text).every((line) => /^[/*]/.test(line)) ? null : t.prompts.pathWrong;

export const promptRules = { show_on: badPath, hide_on: badPath };
