import { languageOf } from '../../../../engine/contract/reader-language.ts';
import type { Translation } from '../../../../engine/contract/wording.ts';
import { say } from '../../../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import {
  MAX_PLAINTEXT_BYTES,
  type NotificationOrigin,
  type QueryParam,
} from '../../../../engine/notification/notification.ts';
import type { Shortening } from '../../../../engine/notification/shorten.ts';
import {
  type BuiltTexts,
  buildTexts,
  TextRefused,
  type TextsContent,
} from '../../../../engine/notification/texts.ts';
import type { Refused } from '../refused.ts';
import type { TranslationResource } from './schema.ts';

export type TextsMade = ({ readonly kind: 'made' } & Pick<BuiltTexts, 'plaintext' | 'wording'>) | Refused;

/**
 * The notification as it will be sent, measured by the largest that it can become for any reader.
 * @param path JSON pointer of the notification in the body; empty where the body is one.
 */
export function makeTexts(
  content: TextsContent,
  origin: NotificationOrigin,
  params: readonly QueryParam[],
  path = '',
): TextsMade {
  try {
    const { plaintext, wording, mostBytes, shorten } = buildTexts(content, origin, params);
    if (mostBytes <= MAX_PLAINTEXT_BYTES) return { kind: 'made', plaintext, wording };
    const isPersonal = (wording?.outputs.length ?? 0) > 0;
    return { kind: 'refused', errors: tooLarge(mostBytes, shorten, { isPersonal, path }) };
  } catch (error) {
    if (!(error instanceof TextRefused)) throw error;
    return { kind: 'refused', errors: say(`${path}${error.field}`, error.message) };
  }
}

/** Said of each field that has to become shorter, mostly of one. */
export function tooLarge(
  bytes: number,
  shorten: readonly Shortening[],
  { isPersonal = false, path = '' }: { readonly isPersonal?: boolean; readonly path?: string } = {},
): FieldErrors {
  const most = `push services take at most ${MAX_PLAINTEXT_BYTES}`;
  const makes = isPersonal
    ? `may make a notification of ${bytes} bytes with the longest tags, and ${most}: bound a tag, such as {{ tag.name | truncate: 40 }}, or `
    : `makes a notification of ${bytes} bytes, and ${most}: `;
  if (shorten.length === 0)
    return say(`${path}/url`, `${makes}shorten the app’s default_query_params, which are added to each URL`);
  const errors = shorten.map(({ field, byBytes }) =>
    say(`${path}${field}`, `${makes}shorten this field by ${byBytes} ${byBytes === 1 ? 'byte' : 'bytes'}`),
  );
  return Object.assign({}, ...errors);
}

interface GivenTexts {
  readonly language?: string | null | undefined;
  readonly translations?:
    | readonly {
        readonly language: string;
        readonly title: string;
        readonly body: string;
        readonly url?: string | undefined;
        readonly action_buttons?: readonly { readonly title: string; readonly url: string }[] | undefined;
        readonly icon_url?: string | undefined;
      }[]
    | null
    | undefined;
}

/** Of a request, in canonical form. @param icons where its icons are served, by the URLs that were given. */
export function textsOf(
  { language, translations }: GivenTexts,
  icons: ReadonlyMap<string, string>,
): {
  readonly language: string | null;
  readonly translations: readonly Translation[];
} {
  return {
    language: languageOf(language ?? ''),
    translations: (translations ?? []).map(({ action_buttons: buttons, ...each }) => ({
      ...{ language: languageOf(each.language) ?? each.language, title: each.title, body: each.body },
      ...{ url: each.url ?? null, buttons: buttons?.map(({ title, url }) => ({ title, url })) ?? null },
      iconUrl: icons.get(each.icon_url ?? '') ?? null,
    })),
  };
}

export const translationsResource = (translations: readonly Translation[]): TranslationResource[] =>
  translations.map(({ buttons, iconUrl = null, ...each }) => ({
    ...each,
    icon_url: iconUrl,
    action_buttons: buttons?.map((button) => ({ ...button })) ?? null,
  }));
