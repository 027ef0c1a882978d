import { parseLocal } from '../format/local-time.ts';
import { t } from '../texts/t.ts';
import { dayOf, isCampaign } from './campaign.ts';
import { addressOf, type ComposeValues, type Content, MAX_IMAGE_BYTES, type PictureName } from './values.ts';
import { contentsOf, pathOf } from './variants.ts';

const words = t.compose;

/** The form's own checks, so that the user is not asked to confirm an invalid draft. The API decides. */
export function checkValues(values: ComposeValues): Record<string, string> {
  const found: readonly (readonly [string, string | null])[] = [
    ...contentsOf(values).flatMap((content, at) =>
      wrongContent(content).map(([field, wrong]) => [pathOf(at, field), wrong] as const),
    ),
    ...(isCampaign(values) && values.image === 'file' ? [['image_file', words.imageNoFile] as const] : []),
    ...(isCampaign(values) && values.icon === 'file' ? [['icon_file', words.imageNoFile] as const] : []),
    ...wrongTimes(values),
    ['scheduled_at', values.mode === 'later' ? wrongStart(values.scheduled_at) : null],
    ['topic', /^[\w-]*$/.test(values.topic.trim()) ? null : words.topicWrong],
    ['expires_at', isCampaign(values) ? null : wrongEnd(values)],
  ];
  return Object.fromEntries(found.filter((pair): pair is readonly [string, string] => pair[1] !== null));
}

type Checked = readonly (readonly [field: string, wrong: string | null])[];

const wrongContent = (content: Content): Checked => [
  ['title', content.title.trim() === '' ? words.titleMissing : null],
  ['body', content.body.trim() === '' ? words.bodyMissing : null],
  ['url', addressError(content.url)],
  ...pictureErrors(content, 'image'),
  ...pictureErrors(content, 'icon'),
  ...content.action_buttons.flatMap(({ title, url }, index) => [
    [`action_buttons.${index}.title`, title.trim() === '' ? words.buttonTitleMissing : null] as const,
    [`action_buttons.${index}.url`, addressError(url)] as const,
  ]),
  ...content.translations.flatMap(({ title, body, url, icon_url: icon }, index) => [
    [`translations.${index}.title`, title.trim() === '' ? words.titleMissing : null] as const,
    [`translations.${index}.body`, body.trim() === '' ? words.bodyMissing : null] as const,
    [`translations.${index}.url`, url.trim() === '' ? null : addressError(url)] as const,
    [`translations.${index}.icon_url`, icon.trim() === '' ? null : addressError(icon)] as const,
  ]),
];

/** By local time, and again and again. */
function wrongTimes(values: ComposeValues): Checked {
  const { mode, local_at, repeat_on, repeat_days, repeat_at, repeat_cron, repeat_until } = values;
  if (mode === 'local') return [['local_at', parseLocal(local_at) === null ? words.scheduledMissing : null]];
  if (mode !== 'repeats') return [];
  const until = dayOf(repeat_until, '23:59');
  const byCron = repeat_cron.trim() !== '';
  return [
    [
      'repeat_days',
      !byCron && repeat_on === 'days' && repeat_days.length === 0 ? words.repeatDaysMissing : null,
    ],
    ['repeat_at', !byCron && repeat_at === '' ? words.repeatAtMissing : null],
    ['repeat_until', until !== null && until.getTime() <= Date.now() ? words.repeatUntilPast : null],
  ];
}

/** Null: it is the address of a page. */
export function addressError(typed: string): string | null {
  if (typed.trim() === '') return words.urlMissing;
  // A reader's tag holds the place of one word.
  const address = typed.trim().replaceAll(/\{\{[^{}]*\}\}/g, 'x');
  const url = URL.parse(addressOf(address));
  const isPage = url !== null && /^https?:$/.test(url.protocol) && !/\s/.test(address);
  return isPage ? null : words.urlWrong;
}

function pictureErrors(content: Content, name: PictureName): Checked {
  const { [name]: kind, [`${name}_url` as const]: url, [`${name}_file` as const]: file } = content;
  if (kind === 'url') return [[`${name}_url`, addressError(url)]];
  return kind === 'file' ? [[`${name}_file`, file === null ? words[`${name}Missing`] : wrongFile(file)]] : [];
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
