import { withoutTags } from '../personal/template.ts';
import { isAllCapitals, isEmojiOnly, isLongTitle } from './letters.ts';
import { isLookAlike } from './look-alike.ts';
import { findSigns } from './signs/find-signs.ts';
import { signs } from './signs/language.ts';

/*
 * What a publisher may want to know before a notification is sent. It is advice and stops nothing. The signs of a
 * deceptive notification are rules of our own: Chrome on Android judges title, text and buttons by a model on the
 * device, which nobody outside knows
 * (https://blog.google/chromium/fighting-unwanted-notifications-wi/).
 */

export const warningCodes = [
  'title-cut-on-android',
  'emoji-only',
  'all-capitals',
  ...signs,
  'look-alike-address',
  'image-not-served',
  'icon-not-served',
] as const;
export type WarningCode = (typeof warningCodes)[number];

export interface Warning {
  /** JSON pointer of the field, as in errors: `/action_buttons/0/title`. */
  readonly field: string;
  readonly code: WarningCode;
}

/** Texts in one language. */
export interface Worded {
  readonly title: string;
  readonly body: string;
  readonly url?: string | undefined;
  readonly buttons: readonly { readonly title: string; readonly url: string }[];
}
export interface WarnedTexts extends Worded {
  readonly translations?: readonly Worded[];
}

/** @returns what stands out, field by field; an unfinished text has as much to say as a finished one. */
export const warningsOf = ({ translations = [], ...main }: WarnedTexts): Warning[] => [
  ...warningsIn('', main),
  ...translations.flatMap((translation, at) => warningsIn(`/translations/${at}`, translation)),
];

const warningsIn = (path: string, { title, body, url = '', buttons }: Worded): Warning[] => [
  ...titleWarnings(`${path}/title`, shownText(title)),
  ...signsIn(`${path}/title`, title),
  ...signsIn(`${path}/body`, body),
  ...addressWarnings(`${path}/url`, url),
  ...buttons.flatMap((button, at) => [
    ...signsIn(`${path}/action_buttons/${at}/title`, button.title),
    ...addressWarnings(`${path}/action_buttons/${at}/url`, button.url),
  ]),
];

function titleWarnings(field: string, title: string): Warning[] {
  const found: readonly (readonly [WarningCode, boolean])[] = [
    ['title-cut-on-android', isLongTitle(title)],
    ['emoji-only', isEmojiOnly(title)],
    ['all-capitals', isAllCapitals(title)],
  ];
  return found.filter(([, is]) => is).map(([code]) => ({ field, code }));
}

const signsIn = (field: string, text: string): Warning[] => [
  ...findSigns(shownText(text)).map((code) => ({ field, code })),
  ...(hostsIn(text).some(isLookAlike) ? [{ field, code: 'look-alike-address' as const }] : []),
];

const addressWarnings = (field: string, url: string): Warning[] => {
  const host = URL.parse(url)?.hostname;
  return host !== undefined && isLookAlike(host) ? [{ field, code: 'look-alike-address' }] : [];
};

/** Hosts that a text names: `www.example.com/story`. */
const hostsIn = (text: string): string[] =>
  (text.match(/(?:[\p{L}\p{N}-]{1,63}\.){1,5}\p{L}{2,24}/gu) ?? []).slice(0, 10);

/** As a reader without tags has it; as it is written where it is not finished. */
function shownText(text: string): string {
  try {
    return withoutTags(text);
  } catch {
    return text;
  }
}
