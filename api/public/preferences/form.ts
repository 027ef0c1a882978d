import type { FrequencyCap } from '../../../engine/contract/shard.ts';
import { directionOf, filled, type PageLanguage, textsIn } from './languages.ts';
import type { Preferences } from './store.ts';
import type { PreferenceTexts } from './texts/en.ts';

/** What the page and the SDK's element show alike, in one language. */
export interface PreferenceForm {
  readonly language: PageLanguage;
  readonly direction: 'rtl' | 'ltr';
  readonly texts: PreferenceTexts;
  readonly categories: { readonly id: number; readonly name: string; readonly chosen: boolean }[];
  readonly fewer: FewerOption[];
  readonly quietHours: { readonly on: boolean; readonly from: string; readonly to: string };
  /** Null: not paused. */
  readonly paused: string | null;
}

export interface FewerOption {
  /** `3-day`; empty: no limit. */
  readonly value: string;
  readonly label: string;
  readonly chosen: boolean;
}

const DAY = 1_440;
const WEEK = 10_080;
const offered: readonly FrequencyCap[] = [
  ...[1, 2, 3, 5].map((maxNotifications) => ({ maxNotifications, windowMinutes: DAY })),
  ...[1, 3, 5].map((maxNotifications) => ({ maxNotifications, windowMinutes: WEEK })),
];
const nightly = { from: '22:00', to: '07:00' };

export function formOf(preferences: Preferences, language: PageLanguage): PreferenceForm {
  const { quiet_from: from, quiet_to: to, category_ids: chosen } = preferences;
  const site = preferences.site_name;
  const time = preferences.paused_until && timeIn(language, preferences.zone, preferences.paused_until);
  const texts = Object.entries(textsIn(language)).map(([key, text]) => [
    key,
    filled(text, { site, ...(time === null ? {} : { time }) }),
  ]);
  const inTexts = Object.fromEntries(texts) as PreferenceTexts;
  return {
    language,
    direction: directionOf(language),
    texts: inTexts,
    categories: preferences.categories.map(({ id, name }) => ({
      ...{ id, name },
      chosen: chosen === null || chosen.includes(id),
    })),
    fewer: fewerOptions(preferences, language, inTexts),
    quietHours: from === null || to === null ? { on: false, ...nightly } : { on: true, from, to },
    paused: time === null ? null : inTexts.pausedUntil,
  };
}

const timeIn = (language: PageLanguage, timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at);

function fewerOptions(
  { max_notifications: most, window_minutes: window }: Preferences,
  language: PageLanguage,
  { noLimit, perDay, perWeek }: PreferenceTexts,
): FewerOption[] {
  const given = most === null || window === null ? [] : [{ maxNotifications: most, windowMinutes: window }];
  const isOffered = offered.some((one) => one.maxNotifications === most && one.windowMinutes === window);
  const numbers = new Intl.NumberFormat(language);
  const caps = [...offered, ...(isOffered ? [] : given)].map((cap) => ({
    value: optionValue(cap),
    label: filled(cap.windowMinutes === DAY ? perDay : perWeek, { n: numbers.format(cap.maxNotifications) }),
    chosen: cap.maxNotifications === most && cap.windowMinutes === window,
  }));
  return [{ value: '', label: noLimit, chosen: given.length === 0 }, ...caps];
}

const optionValue = ({ maxNotifications, windowMinutes }: FrequencyCap): string =>
  `${maxNotifications}-${windowMinutes === DAY ? 'day' : 'week'}`;

export const fewerPattern = '^([1-9]\\d?)-(day|week)$';
const fewerShape = new RegExp(fewerPattern);

/** Null: no limit. `invalid`: none of the values. */
export function fewerOf(value: string): FrequencyCap | null | 'invalid' {
  if (value === '') return null;
  const [, most, per] = fewerShape.exec(value) ?? [];
  if (most === undefined) return 'invalid';
  return { maxNotifications: Number(most), windowMinutes: per === 'day' ? DAY : WEEK };
}

export const clockPattern = '^([01]\\d|2[0-3]):[0-5]\\d$';
const clockShape = new RegExp(clockPattern);
export const isClock = (text: string): boolean => clockShape.test(text);
