import type { Body } from '../../../http-client/client.ts';
import type { Delivery } from '../data/deliveries/queries.ts';
import { localOf } from '../format/local-time.ts';
import { bodyOfTranslations, type TranslationValues, translationValues } from './languages/values.ts';
import { withoutTags } from './preview/without-tags.ts';

export type NewDelivery = Body<'/api/v1/client/apps/{identifier}/deliveries', 'post'>;

export const modes = ['now', 'later', 'local', 'repeats', 'rehearsal'] as const;
export type Mode = (typeof modes)[number];
export const imageKinds = ['none', 'url', 'file'] as const;
export type ImageKind = (typeof imageKinds)[number];
export type PictureName = 'image' | 'icon';
export const urgencies = ['very-low', 'low', 'normal', 'high'] as const;
export const quietChoices = ['wait', 'drop', 'send'] as const;
export const stayKinds = ['default', 'yes', 'no'] as const;

export const repeatKinds = ['daily', 'weekdays', 'days'] as const;

export const MAX_TEXT = 255;
export const MAX_VARIANTS = 10;
export const MAX_BUTTONS = 2;
export const MAX_BUTTON_TITLE = 48;
export const MAX_TOPIC = 32;
export const MAX_IMAGE_BYTES = 2 * 1_024 * 1_024;

/** What one notification says. */
export interface Content {
  title: string;
  body: string;
  url: string;
  image: ImageKind;
  image_url: string;
  image_file: File | null;
  /** `none`: the app's. */
  icon: ImageKind;
  icon_url: string;
  icon_file: File | null;
  action_buttons: { title: string; url: string }[];
  /** BCP 47, of the texts above; empty: not stated. */
  language: string;
  translations: TranslationValues[];
}

/** When something is sent again and again. */
export interface RepeatValues {
  repeat_on: (typeof repeatKinds)[number];
  /** Days of the week, from `1` for Monday. */
  repeat_days: string[];
  repeat_at: string;
  /** Empty: the app's; `reader`: wherever the reader is. */
  repeat_zone: string;
  /** Days, as the input for dates writes them. */
  repeat_from: string;
  repeat_until: string;
  /** Empty: by the days and the time. */
  repeat_cron: string;
}

/** To whom something is sent. */
export interface AudienceValues {
  /** Empty: all subscribers. */
  segment_id: string;
  /** Empty: none. */
  delivery_category_id: string;
  ignore_frequency_cap: boolean;
}

/** As the form holds them: texts where a field may be empty. Fields have the API's names where they are the API's. */
export interface ComposeValues extends Content, RepeatValues, AudienceValues {
  name: string;
  /** Of a test: all variants but the first, which is the form's own content. */
  variants: Content[];
  test_percent: string;
  decide_by: 'clicks' | 'hand' | 'never';
  decide_after_minutes: string;
  /** Number of a variant, from 1. */
  fallback: string;
  /** What clocks show where the reader is. */
  local_at: string;
  if_passed: 'send' | 'skip';
  mode: Mode;
  /** As the input for local times writes it. */
  scheduled_at: string;
  /** Empty: the app's own. */
  ttl_seconds: string;
  during_quiet_hours: (typeof quietChoices)[number];
  urgency: (typeof urgencies)[number];
  lane: 'bulk' | 'breaking';
  topic: string;
  rate_per_minute: number | '';
  expires_at: string;
  require_interaction: (typeof stayKinds)[number];
}

export const emptyContent: Content = {
  title: '',
  body: '',
  url: '',
  image: 'none',
  image_url: '',
  image_file: null,
  icon: 'none',
  icon_url: '',
  icon_file: null,
  action_buttons: [],
  language: '',
  translations: [],
};

/** All but what readers are to read, as a text that can be compared; of a test, the number of its variants. */
export const settingsOf = (values: ComposeValues): string =>
  JSON.stringify({ ...values, ...emptyContent, name: '', variants: values.variants.length });

export const emptyRepeat: RepeatValues = {
  repeat_on: 'weekdays',
  repeat_days: ['1'],
  repeat_at: '07:30',
  repeat_zone: '',
  repeat_from: '',
  repeat_until: '',
  repeat_cron: '',
};

export const everyReader: AudienceValues = {
  segment_id: '',
  delivery_category_id: '',
  ignore_frequency_cap: false,
};

export const emptyValues: ComposeValues = {
  ...emptyContent,
  name: '',
  variants: [],
  test_percent: '20',
  decide_by: 'clicks',
  decide_after_minutes: '60',
  fallback: '1',
  local_at: '',
  if_passed: 'send',
  ...emptyRepeat,
  ...everyReader,
  mode: 'now',
  scheduled_at: '',
  ttl_seconds: '',
  during_quiet_hours: 'wait',
  urgency: 'normal',
  lane: 'bulk',
  topic: '',
  rate_per_minute: '',
  expires_at: '',
  require_interaction: 'default',
};

/** Fields that are folded away: where one of them is wrong, they unfold. */
export const advancedFields: readonly (keyof ComposeValues)[] = [
  'ttl_seconds',
  'during_quiet_hours',
  'urgency',
  'lane',
  'topic',
  'rate_per_minute',
  'expires_at',
  'require_interaction',
  'fallback',
  'if_passed',
  'repeat_cron',
];

/** An earlier delivery to be sent again: everything but its times, and for real. */
export const valuesOf = (delivery: Delivery): ComposeValues => ({
  ...emptyValues,
  name: delivery.name,
  title: delivery.title,
  body: delivery.body,
  url: delivery.url,
  image: delivery.image_url === null ? 'none' : 'url',
  image_url: delivery.image_url ?? '',
  icon: delivery.icon_url === null ? 'none' : 'url',
  icon_url: delivery.icon_url ?? '',
  action_buttons: delivery.action_buttons.map((button) => ({ ...button })),
  language: delivery.language ?? '',
  translations: translationValues(delivery.translations),
  segment_id: String(delivery.segment_id ?? ''),
  delivery_category_id: String(delivery.delivery_category_id ?? ''),
  ignore_frequency_cap: delivery.ignore_frequency_cap,
  ttl_seconds: String(delivery.ttl_seconds),
  urgency: delivery.urgency,
  lane: delivery.lane,
  topic: delivery.topic ?? '',
  rate_per_minute: delivery.rate_per_minute ?? '',
  expires_at: isToCome(delivery.expires_at) ? localOf(new Date(delivery.expires_at)) : '',
  require_interaction: delivery.require_interaction ? 'yes' : 'no',
});

const isToCome = (time: string | null): time is string => time !== null && Date.parse(time) > Date.now();

/** The request body. Uploaded pictures travel beside it. */
export function bodyOfValues(values: ComposeValues): NewDelivery {
  const { mode } = values;
  return {
    name: nameOf(values),
    ...bodyOfContent(values),
    ...(mode === 'later' ? { scheduled_at: new Date(values.scheduled_at).toISOString() } : {}),
    ...bodyOfSending(values),
    ...(values.lane === 'bulk' ? {} : { lane: values.lane }),
    ...(values.expires_at === '' ? {} : { expires_at: new Date(values.expires_at).toISOString() }),
  };
}

/** As it is kept: a file cannot be. */
export const storedOf = (values: ComposeValues): Readonly<Record<string, unknown>> => ({
  ...values,
  image_file: null,
  icon_file: null,
  variants: values.variants.map((variant) => ({ ...variant, image_file: null, icon_file: null })),
});

export const nameOf = ({ name, title }: ComposeValues): string => name.trim() || withoutTags(title).trim();

export const bodyOfContent = (content: Content) => ({
  title: content.title.trim(),
  body: content.body.trim(),
  url: addressOf(content.url),
  ...(content.image === 'url' ? { image_url: addressOf(content.image_url) } : {}),
  ...(content.icon === 'url' ? { icon_url: addressOf(content.icon_url) } : {}),
  ...(content.language === '' || content.translations.length === 0 ? {} : { language: content.language }),
  ...(content.translations.length === 0
    ? {}
    : { translations: bodyOfTranslations(content.translations, content.action_buttons, addressOf) }),
  ...(content.action_buttons.length === 0
    ? {}
    : {
        action_buttons: content.action_buttons.map(({ title, url }) => ({
          title: title.trim(),
          url: addressOf(url),
        })),
      }),
});

/** To whom and how: the same for a delivery and for a campaign. */
export function bodyOfSending(values: ComposeValues) {
  const { mode, rate_per_minute: rate, require_interaction: stays } = values;
  return {
    ...(values.segment_id === '' ? {} : { segment_id: Number(values.segment_id) }),
    ...(values.delivery_category_id === ''
      ? {}
      : { delivery_category_id: Number(values.delivery_category_id) }),
    ...(values.ignore_frequency_cap ? { ignore_frequency_cap: true } : {}),
    ...(mode === 'rehearsal' ? { rehearsal: true } : {}),
    ...(values.ttl_seconds === '' ? {} : { ttl_seconds: Number(values.ttl_seconds) }),
    ...(values.during_quiet_hours === 'wait' ? {} : { during_quiet_hours: values.during_quiet_hours }),
    ...(values.urgency === 'normal' ? {} : { urgency: values.urgency }),
    ...(values.topic.trim() === '' ? {} : { topic: values.topic.trim() }),
    ...(rate === '' ? {} : { rate_per_minute: rate }),
    ...(stays === 'default' ? {} : { require_interaction: stays === 'yes' }),
  };
}

/** `news.example/story` → `https://news.example/story`: as people write addresses. */
export function addressOf(typed: string): string {
  const text = typed.trim();
  return text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
}

/** What travels beside the body, by the API's fields. */
export const filesOf = ({ image, image_file, icon, icon_file }: Content): Readonly<Record<string, File>> => ({
  ...(image === 'file' && image_file !== null ? { image_url: image_file } : {}),
  ...(icon === 'file' && icon_file !== null ? { icon_url: icon_file } : {}),
});
