import { isStorable } from '../../../engine/adapters/http/unstorable-text.ts';
import {
  type EndpointPolicy,
  type EndpointRefusal,
  parseNewEndpoint,
} from '../../../engine/contract/push-service.ts';
import { languageOf } from '../../../engine/contract/reader-language.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import { parseDay } from '../../client/fields.ts';
import { type KeyRefusal, parseSubscriptionKeys } from '../../public/subscribe/subscription-keys.ts';

/** A line of an import, checked. */
export interface ImportRow {
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
  readonly userIdentity: string | null;
  /** JSON object of strings. */
  readonly tags: string;
  /** Two capital letters. */
  readonly country: string | null;
  readonly device: string | null;
  /** IANA name; null: not known. */
  readonly timeZone: string | null;
  readonly language: string | null;
  readonly createdAt: Date | null;
  /** Which of the app's VAPID key pairs it was made with; null: not said. */
  readonly vapidKeyNumber: number | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** @returns the row, or why the line is refused, so that the user can correct the file. */
export function parseRow(
  record: unknown,
  policy: EndpointPolicy,
  keyNumbers: KeyNumbers = noKeys,
): ImportRow | string {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return 'is no object';
  const fields = record as Fields;
  // `JSON.stringify(subscription)` of a browser has its keys one level down.
  const keys = (fields.keys ?? fields) as Fields;
  const { endpoint } = fields;
  if (typeof endpoint !== 'string' || endpoint === '') return 'endpoint is missing';
  if (typeof keys.p256dh !== 'string' || keys.p256dh === '') return 'p256dh is missing';
  if (typeof keys.auth !== 'string' || keys.auth === '') return 'auth is missing';
  const url = parseNewEndpoint(endpoint, policy);
  if (typeof url === 'string') return endpointReasons[url];
  const parsed = parseSubscriptionKeys(keys.p256dh, keys.auth);
  if (typeof parsed === 'string') return keyReasons[parsed];
  const optional = parseOptional(fields);
  if (typeof optional === 'string') return optional;
  const vapidKeyNumber = given(fields.vapid_key) ? keyNumbers.get(String(fields.vapid_key)) : null;
  if (vapidKeyNumber === undefined) return 'vapid_key is no key of the app that can still be sent with';
  return { endpoint, ...parsed, ...optional, vapidKeyNumber };
}

/** The app's key pairs by their public halves, base64url. */
export type KeyNumbers = ReadonlyMap<string, number>;
const noKeys: KeyNumbers = new Map();

const endpointReasons: Readonly<Record<EndpointRefusal, string>> = {
  'not-a-url': 'endpoint is no URL',
  'not-https': 'endpoint is not https',
  'has-credentials': 'endpoint holds a user or a password',
  'too-long': 'endpoint is too long',
  'unknown-push-service': 'endpoint is on no known push service (PUSH_SERVICE_HOSTS names them)',
  'no-host-of-the-service': 'endpoint is on a host that its push service does not have',
};

const keyReasons: Readonly<Record<KeyRefusal, string>> = {
  'p256dh-not-base64': 'p256dh is not base64',
  'p256dh-not-a-p256-point': 'p256dh is not a point on P-256',
  'auth-not-base64': 'auth is not base64',
  'auth-not-16-bytes': 'auth does not have 16 bytes',
};

type Optional = Pick<
  ImportRow,
  'userIdentity' | 'tags' | 'country' | 'device' | 'timeZone' | 'language' | 'createdAt'
>;

const MAX_TEXT = 255;
const devices = ['desktop', 'mobile', 'tablet'];

function parseOptional(fields: Fields): Optional | string {
  const userIdentity = textOf(fields.user_identity);
  if (userIdentity === undefined) return `user_identity is no text of at most ${MAX_TEXT} characters`;
  const country = textOf(fields.country)?.toUpperCase() ?? null;
  if (given(fields.country) && !/^[A-Z]{2}$/.test(country ?? ''))
    return 'country is no ISO code of two letters';
  const device = deviceOf(fields);
  if (device === undefined) return `device_type must be one of ${devices.join(', ')}`;
  const timeZone = given(fields.time_zone) ? timeZoneOf(String(fields.time_zone)) : null;
  if (given(fields.time_zone) && timeZone === null)
    return 'time_zone is no IANA time zone, such as Europe/Berlin';
  const language = given(fields.language) ? languageOf(String(fields.language)) : null;
  if (given(fields.language) && language === null) return 'language is no language, such as de or pt-BR';
  const createdAt = given(fields.created_at)
    ? (parseDay(String(fields.created_at))?.from ?? undefined)
    : null;
  if (createdAt === undefined) return 'created_at is no ISO 8601 time';
  const tags = tagsOf(fields.tags);
  if (tags === null) return `tags are no JSON object of at most ${MAX_TAGS} texts`;
  return { userIdentity, country, device, timeZone, language, createdAt, tags };
}

/** `device_type`, as the API has it, or `device`. Undefined where it is none. */
function deviceOf(fields: Fields): string | null | undefined {
  const value = given(fields.device_type) ? fields.device_type : fields.device;
  if (!given(value)) return null;
  const device = textOf(value)?.toLowerCase() ?? '';
  return devices.includes(device) ? device : undefined;
}

const given = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Null where nothing is given; undefined where it is no text, or too long. */
function textOf(value: unknown): string | null | undefined {
  if (!given(value)) return null;
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.length <= MAX_TEXT && isStorable(text) ? text : undefined;
}

const MAX_TAGS = 50;

/** Numbers and booleans become their text. In CSV the whole object is JSON text. Null where it is wrong. */
function tagsOf(value: unknown): string | null {
  if (!given(value)) return '{}';
  const tags = typeof value === 'string' ? parseJson(value) : value;
  if (typeof tags !== 'object' || tags === null || Array.isArray(tags)) return null;
  const entries = Object.entries(tags).map(
    ([key, tag]) => [key, typeof tag === 'string' ? tag : plain(tag)] as const,
  );
  const isTag = ([key, tag]: readonly [string, string | null]): boolean =>
    tag !== null && tag.length <= MAX_TEXT && key.length <= MAX_TEXT && isStorable(key) && isStorable(tag);
  return entries.length <= MAX_TAGS && entries.every(isTag)
    ? JSON.stringify(Object.fromEntries(entries))
    : null;
}

const plain = (tag: unknown): string | null =>
  typeof tag === 'number' || typeof tag === 'boolean' ? String(tag) : null;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
