import { type Static, Type } from 'typebox';
import { LEAST_PRUNE_DAYS, MOST_PRUNE_DAYS } from '../../../engine/contract/pruning.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import { ofChanges, passingOver, type Rule, withRules } from '../../../engine/kit/http/rules.ts';
import {
  httpUrl,
  idField,
  nullable,
  nullableInteger,
  nullableText,
  queryParams,
  shortText,
  timeField,
} from '../../http/fields.ts';
import { approvalRuleField } from '../approvals/schema.ts';
import { chromeGuardSchema, chromeGuardSetting } from './chrome-guard.ts';

const settingsExample = {
  name: 'Example News',
  site_domain: 'https://news.example.com',
  frequency_cap_max_notifications: 3,
  frequency_cap_window_minutes: 1440,
  default_ttl_seconds: 86_400,
  default_require_interaction: false,
  default_silent: false,
  default_vibrate_pattern: [200, 100, 200],
  auto_delete_unsubscribed_enabled: true,
  auto_delete_unsubscribed_days: 30,
  default_query_params: [{ key: 'utm_source', value: 'push' }],
  time_zone: 'Europe/Berlin',
  quiet_hours: { from: '22:00', to: '07:00', time_zone: 'reader' },
  approval: 'none',
  fallback_text: 'There is news for you.',
  chrome_guard: { android_max: 27, desktop_max: 41, engaged_days: 10 },
  prune_unreachable_days: 270,
  preferences_button: true,
  icon_url: 'https://news.example.com/icon-192.png',
  badge_url: 'https://news.example.com/badge-96.png',
  app_badge: false,
} as const;
const appExample = {
  identifier: 'example-news-k7m2pq',
  ...settingsExample,
  subscriber_count: 128_500,
  active_subscriber_count: 117_930,
  first_browser_at: '2026-01-31T12:04:11+00:00',
  created_at: '2026-01-31T12:00:00+00:00',
  updated_at: '2026-01-31T12:00:00+00:00',
};

const clockTime = (description: string) =>
  Type.String({ maxLength: 5, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description, examples: ['22:00'] });
const quietHoursFields = {
  from: clockTime('What clocks show when they begin.'),
  to: clockTime('What clocks show when they end: on the next day if it is earlier.'),
};
const whoseClocks = (description: string) =>
  Type.Unsafe<'reader' | 'app'>({ type: 'string', enum: ['reader', 'app'], description });
const zones = '`reader`: wherever the reader is; `app`: in the app’s time zone.';
const quietHoursSchema = Type.Object(
  { ...quietHoursFields, time_zone: whoseClocks(zones) },
  { title: 'QuietHours', examples: [settingsExample.quiet_hours] },
);

export const appSchema = Type.Object(
  {
    identifier: Type.String({ description: 'Names the app in paths.' }),
    name: Type.String(),
    site_domain: Type.String({ format: 'uri', pattern: '^https?://', description: 'The site’s origin.' }),
    frequency_cap_max_notifications: nullableInteger,
    frequency_cap_window_minutes: nullableInteger,
    default_ttl_seconds: Type.Integer(),
    default_require_interaction: Type.Boolean(),
    default_silent: Type.Boolean(),
    default_vibrate_pattern: Type.Array(Type.Integer()),
    auto_delete_unsubscribed_enabled: Type.Boolean(),
    auto_delete_unsubscribed_days: nullableInteger,
    default_query_params: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
    time_zone: Type.String({ description: 'IANA time zone of the site.' }),
    quiet_hours: Type.Union([quietHoursSchema, Type.Null()]),
    approval: approvalRuleField,
    fallback_text: nullable<string>({ type: 'string' }),
    chrome_guard: Type.Union([chromeGuardSchema, Type.Null()]),
    prune_unreachable_days: nullableInteger,
    preferences_button: Type.Boolean(),
    icon_url: nullableText,
    badge_url: nullableText,
    app_badge: Type.Boolean(),
    subscriber_count: Type.Integer(),
    active_subscriber_count: Type.Integer(),
    first_browser_at: nullable<string>({
      type: 'string',
      format: 'date-time',
      description: 'When a browser first subscribed on the site. Null: none did; imports are none.',
    }),
    created_at: timeField,
    updated_at: timeField,
  },
  { title: 'App', examples: [appExample] },
);
export type AppResource = Static<typeof appSchema>;

export const DEFAULT_TTL_SECONDS = 86_400;
export const DEFAULT_TIME_ZONE = 'UTC';

const MAX_SITE_LENGTH = 255;

/** A browser's `Origin` must equal the stored one (`originOf`), so it is an origin and nothing more. */
const siteDomain = Type.Refine(
  Type.Refine(
    Type.String({
      maxLength: MAX_SITE_LENGTH,
      description:
        'The site’s origin, such as https://example.com. Kept as browsers send it: in lower case, a host of other letters in punycode, without the scheme’s own port.',
      documented: { format: 'uri', pattern: '^https?://[^/?#@]+$' },
    }),
    (text) => typeof text !== 'string' || !text.endsWith('/'),
    () => 'must not end with a slash',
  ),
  (text) => typeof text !== 'string' || text.endsWith('/') || originOf(text) !== null,
  () => 'must be the origin of a site, such as https://example.com, without a path',
);

/** `https://News.Example:443` → `https://news.example`; null where it is not a site, or more than its origin. */
export function originOf(text: string): string | null {
  const url = /^https?:\/\/[^\s/\\?#@]+$/i.test(text) ? URL.parse(text) : null;
  if (url === null || url.origin.length > MAX_SITE_LENGTH) return null;
  return isHostName(url.hostname) ? url.origin : null;
}

/** RFC 1123, section 2.1: labels of letters, digits and hyphens, none of which begins or ends with one; or an address. */
const isHostName = (host: string): boolean =>
  host.startsWith('[') || (host.length <= 253 && host.split('.').every((each) => label.test(each)));
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** For `time_zone` fields of bodies. */
export const timeZoneField = Type.Refine(
  Type.String({
    maxLength: 64,
    description:
      'IANA time zone, such as Europe/Berlin. Readers whose own is not known are taken to be in it.',
    default: DEFAULT_TIME_ZONE,
  }),
  (text) => typeof text !== 'string' || timeZoneOf(text) !== null,
  () => 'must be an IANA time zone, such as Europe/Berlin',
);

const fields = {
  name: shortText('For people.'),
  site_domain: siteDomain,
  frequency_cap_max_notifications: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        'The maximum of notifications that a subscriber gets within any such window, in minutes. A change applies where nothing is reserved yet.',
    }),
  ),
  frequency_cap_window_minutes: Type.Optional(Type.Integer({ enum: [60, 360, 720, 1440, 10080] })),
  default_ttl_seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_419_200, default: DEFAULT_TTL_SECONDS }),
  ),
  default_require_interaction: Type.Optional(Type.Boolean({ default: false })),
  default_silent: Type.Optional(Type.Boolean({ default: false })),
  default_vibrate_pattern: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 10_000 }), {
      maxItems: 10,
      description: 'ms on, off, on, …',
    }),
  ),
  auto_delete_unsubscribed_enabled: Type.Optional(Type.Boolean({ default: false })),
  auto_delete_unsubscribed_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 365, description: 'Required when auto-delete is enabled.' }),
  ),
  default_query_params: Type.Optional(queryParams),
  time_zone: Type.Optional(timeZoneField),
  quiet_hours: Type.Optional(
    Type.Refine(
      Type.Object(
        { ...quietHoursFields, time_zone: Type.Optional(whoseClocks(`${zones} \`reader\` when left out.`)) },
        {
          title: 'QuietHoursSetting',
          description:
            'Bulk deliveries wait for their end, or are dropped, as each delivery says. None when left out.',
          examples: [settingsExample.quiet_hours],
        },
      ),
      (hours) => hours.from !== hours.to,
      () => 'must not end at the time they begin',
    ),
  ),
  approval: Type.Optional(approvalRuleField),
  fallback_text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      description:
        'What the SDK’s worker shows where it cannot read a message, below the site’s name: browsers end the subscriptions of sites whose messages show nothing. The site’s name alone when left out.',
    }),
  ),
  chrome_guard: Type.Optional(chromeGuardSetting),
  prune_unreachable_days: Type.Optional(
    Type.Integer({
      minimum: LEAST_PRUNE_DAYS,
      maximum: MOST_PRUNE_DAYS,
      description:
        'Unsubscribes readers who within this number of days neither visited nor clicked nor were shown anything, though they were sent to. Once a day, and noted in the audit log. Off when left out; `GET …/unreachable` counts them before.',
    }),
  ),
  preferences_button: Type.Optional(
    Type.Boolean({
      description:
        'Notifications with room for one more button have one that leads to the reader’s preferences, in browsers that show buttons. False when left out.',
    }),
  ),
  icon_url: Type.Optional(
    httpUrl(
      'The picture beside the text of each notification that has none of its own: a square PNG, JPEG or WebP of 192 pixels or more, on https. Of an address elsewhere nothing is fetched or kept here; `POST …/pictures` uploads a file, and answers the address at which we serve it. Left out, Chrome on Android draws a letter, and others leave the place empty.',
    ),
  ),
  badge_url: Type.Optional(
    httpUrl(
      'Android’s small mark in the status bar: a PNG of 96 × 96 pixels of which Android shows the opacity alone, in one colour. Chrome’s own mark when left out.',
    ),
  ),
  app_badge: Type.Optional(
    Type.Boolean({
      description:
        'The icon of the site’s installed app counts the notifications that came since the last visit, where the system shows a number there. False when left out.',
    }),
  ),
  organization_id: Type.Optional(idField('Super-admins only: the organization that the app is for.')),
};

const daysWhenEnabled: Rule = {
  field: 'auto_delete_unsubscribed_days',
  words: 'is required when auto_delete_unsubscribed_enabled is true',
  holds: (body) =>
    body.auto_delete_unsubscribed_enabled !== true || isGiven(body.auto_delete_unsubscribed_days),
};
const windowWithMax: Rule = {
  field: 'frequency_cap_window_minutes',
  words: 'is required when frequency_cap_max_notifications is present',
  holds: (body) =>
    !isGiven(body.frequency_cap_max_notifications) || isGiven(body.frequency_cap_window_minutes),
};
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Rules of an app as a whole, whichever requests its settings came with. */
export const wholeAppRules: readonly Rule[] = [windowWithMax, daysWhenEnabled];

/** An app may be sent back as it was read, with what the service itself writes. */
const serviceFields = [
  ...['identifier', 'subscriber_count', 'active_subscriber_count', 'first_browser_at'],
  ...['created_at', 'updated_at'],
];

const bodyTitled = (title: string) =>
  passingOver(
    withRules(
      Type.Object(fields, {
        title,
        dependentRequired: { frequency_cap_max_notifications: ['frequency_cap_window_minutes'] },
        examples: [settingsExample],
      }),
      [daysWhenEnabled],
    ),
    serviceFields,
  );

/** Create and PUT take the same body, which states the whole app. */
export const appBody = bodyTitled('AppSettings');
export type AppBody = Static<typeof appBody>;

/** PATCH: the fields and rules of create, but absent fields keep their value. */
export const appChanges = ofChanges(bodyTitled('AppChanges'));
export type AppChanges = Static<typeof appChanges>;
