import { t } from '../texts/t.ts';
import { parseLocal } from './local-time.ts';
import { addressOf, type ComposeValues, MAX_IMAGE_BYTES } from './values.ts';

const words = t.compose;

/** What the form sees itself, so that one is not asked to confirm what cannot be sent. The API decides. */
export function checkValues(values: ComposeValues): Record<string, string> {
  const found: readonly (readonly [string, string | null])[] = [
    ['title', values.title.trim() === '' ? words.titleMissing : null],
    ['body', values.body.trim() === '' ? words.bodyMissing : null],
    ['url', wrongAddress(values.url)],
    ...imageErrors(values),
    ...values.action_buttons.flatMap(({ title, url }, index) => [
      [`action_buttons.${index}.title`, title.trim() === '' ? words.buttonTitleMissing : null] as const,
      [`action_buttons.${index}.url`, wrongAddress(url)] as const,
    ]),
    ['scheduled_at', values.mode === 'later' ? wrongStart(values.scheduled_at) : null],
    ['topic', /^[\w-]*$/.test(values.topic.trim()) ? null : words.topicWrong],
    ['expires_at', wrongEnd(values)],
  ];
  return Object.fromEntries(found.filter((pair): pair is readonly [string, string] => pair[1] !== null));
}

function wrongAddress(typed: string): string | null {
  if (typed.trim() === '') return words.urlMissing;
  const url = URL.parse(addressOf(typed));
  const isPage = url !== null && /^https?:$/.test(url.protocol) && !/\s/.test(typed.trim());
  return isPage ? null : words.urlWrong;
}

function imageErrors({ image, image_url, image_file: file }: ComposeValues) {
  if (image === 'url') return [['image_url', wrongAddress(image_url)] as const];
  return image === 'file'
    ? [['image_file', file === null ? words.imageMissing : wrongFile(file)] as const]
    : [];
}

export function wrongFile(file: File): string | null {
  if (file.size > MAX_IMAGE_BYTES) return words.imageTooLarge;
  return ['image/png', 'image/jpeg'].includes(file.type) ? null : words.imageWrongKind;
}

function wrongStart(text: string): string | null {
  const start = parseLocal(text);
  if (start === null) return words.scheduledMissing;
  return start.getTime() <= Date.now() ? words.scheduledPast : null;
}

function wrongEnd({ expires_at, scheduled_at, mode }: ComposeValues): string | null {
  const end = parseLocal(expires_at);
  if (end === null) return null;
  const start = mode === 'later' ? parseLocal(scheduled_at) : null;
  return end.getTime() <= (start?.getTime() ?? Date.now()) ? words.expiresPast : null;
}
