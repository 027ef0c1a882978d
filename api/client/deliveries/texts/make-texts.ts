import { languageOf } from '../../../../engine/contract/reader-language.ts';
import type { Translation } from '../../../../engine/contract/wording.ts';
import { say } from '../../../../engine/kit/http/explain-with.ts';
import {
  MAX_PLAINTEXT_BYTES,
  type NotificationOrigin,
  type QueryParam,
} from '../../../../engine/notification/notification.ts';
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
    const { plaintext, wording, mostBytes } = buildTexts(content, origin, params);
    if (mostBytes <= MAX_PLAINTEXT_BYTES) return { kind: 'made', plaintext, wording };
    const isPersonal = (wording?.outputs.length ?? 0) > 0;
    return {
      kind: 'refused',
      errors: say(`${path}/body`, isPersonal ? mayBeTooLarge(mostBytes) : tooLarge(mostBytes)),
    };
  } catch (error) {
    if (!(error instanceof TextRefused)) throw error;
    return { kind: 'refused', errors: say(`${path}${error.field}`, error.message) };
  }
}

const tooLarge = (bytes: number): string =>
  `makes a notification of ${bytes} bytes, and push services take at most ${MAX_PLAINTEXT_BYTES}: shorten its texts and URLs`;
const mayBeTooLarge = (bytes: number): string =>
  `may make a notification of ${bytes} bytes with the longest tags, and push services take at most ${MAX_PLAINTEXT_BYTES}: ` +
  'bound a tag, such as {{ tag.name | truncate: 40 }}, or shorten its texts and URLs';

interface GivenTexts {
  readonly language?: string | null | undefined;
  readonly translations?:
    | readonly {
        readonly language: string;
        readonly title: string;
        readonly body: string;
        readonly url?: string | undefined;
        readonly action_buttons?: readonly { readonly title: string; readonly url: string }[] | undefined;
      }[]
    | null
    | undefined;
}

/** Of a request, in canonical form. */
export function textsOf({ language, translations }: GivenTexts): {
  readonly language: string | null;
  readonly translations: readonly Translation[];
} {
  return {
    language: languageOf(language ?? ''),
    translations: (translations ?? []).map(({ action_buttons: buttons, ...each }) => ({
      ...{ language: languageOf(each.language) ?? each.language, title: each.title, body: each.body },
      ...{ url: each.url ?? null, buttons: buttons?.map(({ title, url }) => ({ title, url })) ?? null },
    })),
  };
}

export const translationsResource = (translations: readonly Translation[]): TranslationResource[] =>
  translations.map(({ buttons, ...each }) => ({
    ...each,
    action_buttons: buttons?.map((button) => ({ ...button })) ?? null,
  }));
