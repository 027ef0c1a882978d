import {
  type EndpointPolicy,
  type EndpointRefusal,
  hostToName,
  isRefusedForItsHost,
  parseNewEndpoint,
} from '../../../engine/contract/push-service.ts';
import { languageOf } from '../../../engine/contract/reader-language.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import { isStorable } from '../../../engine/kit/http/unstorable-text.ts';
import { parseDay } from '../../http/fields.ts';
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
  /** When the browser was last seen; null: not known. */
  readonly lastSeenAt: Date | null;
  /** JSON object of strings: ids in other systems. */
  readonly externalIds: string;
  /** Which of the app's VAPID key pairs it was made with; null: not said. */
  readonly vapidKeyNumber: number | null;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * @param left collects what is wrong with optional fields: the row goes without them. Without it they refuse the line.
 * @returns the row, or why the line is refused, so that the user can correct the file.
 */
export function parseRow(
  record: unknown,
  policy: EndpointPolicy,
  keyNumbers: KeyNumbers = noKeys,
  left?: string[],
): ImportRow | string {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return 'is not an object';
  const fields = record as Fields;
  // `JSON.stringify(subscription)` of a browser has its keys one level down.
  const keys = (fields.keys ?? fields) as Fields;
  const { endpoint } = fields;
  if (typeof endpoint !== 'string' || endpoint === '') return 'endpoint is missing';
  if (typeof keys.p256dh !== 'string' || keys.p256dh === '') return 'p256dh is missing';
  if (typeof keys.auth !== 'string' || keys.auth === '') return 'auth is missing';
  const url = parseNewEndpoint(endpoint, policy);
  if (typeof url === 'string') return endpointReasonOf(url, endpoint);
  const parsed = parseSubscriptionKeys(keys.p256dh, keys.auth);
  if (typeof parsed === 'string') return keyReasons[parsed];
  const wrong = left ?? [];
  const optional = parseOptional(fields, wrong);
  if (left === undefined && wrong[0] !== undefined) return wrong[0];
  const vapidKeyNumber = given(fields.vapid_key) ? keyNumbers.get(String(fields.vapid_key)) : null;
  if (vapidKeyNumber === undefined) return 'vapid_key is not a key of the app that can still be sent with';
  return { endpoint, ...parsed, ...optional, vapidKeyNumber };
}

/** The app's key pairs by their public halves, base64url. */
export type KeyNumbers = ReadonlyMap<string, number>;
const noKeys: KeyNumbers = new Map();

const endpointReasons: Readonly<Record<EndpointRefusal, string>> = {
  'not-a-url': 'endpoint is not a URL',
  'not-https': 'endpoint is not https',
  'has-credentials': 'endpoint holds a user or a password',
  'too-long': 'endpoint is too long',
  'unknown-push-service': 'is on no known push service (PUSH_SERVICE_HOSTS names them)',
  'no-host-of-the-service': 'is on a host that its push service does not have',
};

/** With the host, where that is why. */
function endpointReasonOf(refusal: EndpointRefusal, endpoint: string): string {
  const reason = endpointReasons[refusal];
  return isRefusedForItsHost(refusal) ? `endpoint at ${hostToName(endpoint) ?? 'no host'} ${reason}` : reason;
}

const keyReasons: Readonly<Record<KeyRefusal, string>> = {
  'p256dh-not-base64': 'p256dh is not base64',
  'p256dh-not-a-p256-point': 'p256dh is not a point on P-256',
  'auth-not-base64': 'auth is not base64',
  'auth-not-16-bytes': 'auth does not have 16 bytes',
};

type Optional = Omit<ImportRow, 'endpoint' | 'p256dh' | 'auth' | 'vapidKeyNumber'>;

const MAX_TEXT = 255;
const devices = ['desktop', 'mobile', 'tablet'];

/** @param wrong gets a reason for each field that cannot be read; the row has nothing there. */
function parseOptional(fields: Fields, wrong: string[]): Optional {
  const read = <Value>(value: Value | undefined, none: Value, reason: string): Value => {
    if (value === undefined) wrong.push(reason);
    return value === undefined ? none : value;
  };
  return {
    userIdentity: read(
      textOf(fields.user_identity),
      null,
      `user_identity is not a text of at most ${MAX_TEXT} characters`,
    ),
    country: read(countryOf(fields.country), null, 'country is not an ISO code of two letters'),
    device: read(deviceOf(fields), null, `device_type must be one of ${devices.join(', ')}`),
    timeZone: read(
      orNothing(fields.time_zone, timeZoneOf),
      null,
      'time_zone is not an IANA time zone, such as Europe/Berlin',
    ),
    language: read(
      orNothing(fields.language, languageOf),
      null,
      'language is not a language, such as de or pt-BR',
    ),
    createdAt: read(orNothing(fields.created_at, momentOf), null, 'created_at is not an ISO 8601 time'),
    lastSeenAt: read(orNothing(fields.last_seen_at, momentOf), null, 'last_seen_at is not an ISO 8601 time'),
    tags: read(
      textsOf(fields.tags, MAX_TAGS),
      '{}',
      `tags are not a JSON object of at most ${MAX_TAGS} texts`,
    ),
    externalIds: read(
      textsOf(fields.external_ids, MAX_EXTERNAL_IDS),
      '{}',
      `external_ids are not a JSON object of at most ${MAX_EXTERNAL_IDS} texts`,
    ),
  };
}

/** Null where nothing is given, undefined where `parse` finds nothing in it. */
function orNothing<Value>(value: unknown, parse: (text: string) => Value | null): Value | null | undefined {
  return given(value) ? (parse(String(value)) ?? undefined) : null;
}

const momentOf = (text: string): Date | null => parseDay(text)?.from ?? null;

function countryOf(value: unknown): string | null | undefined {
  const country = textOf(value);
  if (country === null) return null;
  const code = country?.toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) ? code : undefined;
}

/** `device_type`, as the API has it, or `device`. Undefined where it is none. */
function deviceOf(fields: Fields): string | null | undefined {
  const value = given(fields.device_type) ? fields.device_type : fields.device;
  if (!given(value)) return null;
  const device = textOf(value)?.toLowerCase() ?? '';
  return devices.includes(device) ? device : undefined;
}

const given = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Null where nothing is given; undefined where it is not a text, or too long. */
function textOf(value: unknown): string | null | undefined {
  if (!given(value)) return null;
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.length <= MAX_TEXT && isStorable(text) ? text : undefined;
}

const MAX_TAGS = 50;
const MAX_EXTERNAL_IDS = 50;

/** Numbers and booleans become their text. In CSV the whole object is JSON text. Undefined where it is wrong. */
function textsOf(value: unknown, most: number): string | undefined {
  if (!given(value)) return '{}';
  const texts = typeof value === 'string' ? parseJson(value) : value;
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts)) return undefined;
  const entries = Object.entries(texts).map(
    ([key, text]) => [key, typeof text === 'string' ? text : plain(text)] as const,
  );
  const isRight = ([key, text]: readonly [string, string | null]): boolean =>
    text !== null && text.length <= MAX_TEXT && key.length <= MAX_TEXT && isStorable(key) && isStorable(text);
  return entries.length <= most && entries.every(isRight)
    ? JSON.stringify(Object.fromEntries(entries))
    : undefined;
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
