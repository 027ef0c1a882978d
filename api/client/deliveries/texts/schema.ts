import { type Static, Type } from 'typebox';
import { languageOf, MOST_LANGUAGE_CHARACTERS } from '../../../../engine/contract/reader-language.ts';
import { MOST_TRANSLATIONS } from '../../../../engine/contract/wording.ts';
import {
  givenUrl,
  givenUrlPattern,
  httpUrl,
  isHttpUrl,
  MOST_URL_CHARACTERS,
  nullable,
  shortText,
} from '../../../http/fields.ts';

export const languageField = (description: string) =>
  Type.Refine(
    Type.String({ maxLength: MOST_LANGUAGE_CHARACTERS, description }),
    (value) => typeof value !== 'string' || languageOf(value) !== null,
    () => 'must be a language, such as de or pt-BR',
  );

/** Where a click leads; a `{{ tag.name }}` in it holds the place of what will be one word. */
export const clickUrl = (description: string) =>
  Type.Refine(
    Type.String({
      maxLength: MOST_URL_CHARACTERS,
      description,
      documented: { format: 'uri', pattern: '^https?://' },
    }),
    (value) => isHttpUrl(typeof value === 'string' ? withoutOutputs(value) : value),
    () => 'must be a URL that starts with http:// or https://',
  );

/** No brace inside: a search for the end from each of many beginnings would cost the square of them. */
const withoutOutputs = (url: string): string => url.replaceAll(/\{\{[^{}]*\}\}/g, 'x');

export const buttonsField = Type.Array(
  Type.Object({
    title: Type.String({ minLength: 1, maxLength: 48 }),
    url: clickUrl('The URL that the button opens.'),
  }),
  { maxItems: 2 },
);

const translation = Type.Object(
  {
    language: languageField('BCP 47, such as `de` or `pt-BR`. Each once.'),
    title: shortText('First line of the notification.'),
    body: shortText('Text of the notification.'),
    url: Type.Optional(clickUrl('Where a click leads; as for the others when left out.')),
    action_buttons: Type.Optional(buttonsField),
    icon_url: Type.Optional(httpUrl('As of the main text; its icon when left out.')),
  },
  { title: 'NewTranslation' },
);

/** What a notification says to whom, beside its main text. */
export const textsFields = {
  language: Type.Optional(
    languageField('Language of the main text, for screen readers and for readers of that language. BCP 47.'),
  ),
  translations: Type.Optional(
    Type.Refine(
      Type.Array(translation, {
        maxItems: MOST_TRANSLATIONS,
        description:
          'The same in other languages. A reader gets their browser’s language, as the SDK states it: `de-AT` reads `de-AT`, ' +
          'or `de`, or another variety of German; and languages find each other as Unicode’s CLDR matches them: `no`, ' +
          '`nb` and `nn`, or `es-MX` and `es-419`. Everyone else gets the main text.',
      }),
      (all) => !Array.isArray(all) || new Set(all.map(nameOf)).size === all.length,
      () => 'must not name a language twice',
    ),
  ),
};

const nameOf = (each: unknown): string | null =>
  languageOf(String((each as { readonly language?: unknown } | null)?.language ?? ''));

const wordedTranslation = Type.Object(
  {
    language: Type.String(),
    title: Type.String(),
    body: Type.String(),
    url: nullable<string>({
      ...{ type: 'string', pattern: givenUrlPattern },
      description: 'Null: that of the main text.',
    }),
    action_buttons: Type.Union([
      Type.Array(Type.Object({ title: Type.String(), url: givenUrl })),
      Type.Null(),
    ]),
    icon_url: nullable<string>({
      ...{ type: 'string', format: 'uri' },
      description: 'Where the service itself serves it. Null: that of the main text.',
    }),
  },
  { title: 'Translation' },
);
export type TranslationResource = Static<typeof wordedTranslation>;

/** As a delivery shows them. */
export const textsAnswer = {
  language: nullable<string>({ type: 'string', description: 'Language of the main text. Null: not stated.' }),
  translations: Type.Array(wordedTranslation, { description: 'The same in other languages.' }),
  personal: Type.Boolean({
    description: 'Its texts name tags of the reader: each one is encrypted from words of its own.',
  }),
};
