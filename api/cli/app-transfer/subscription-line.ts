import type { EndpointPolicy } from '../../../engine/contract/push-service.ts';
import { isStorable } from '../../../engine/kit/http/unstorable-text.ts';
import { parseTime } from '../../http/fields.ts';
import { parseRow } from '../import/row.ts';
import { type TransferWishes, wishesOf } from './reader-wishes.ts';

/** A subscription of the file, checked, in the columns of its table. */
export interface TransferSubscription {
  readonly endpoint: string;
  /** `\x` and hex. */
  readonly p256dh: string;
  readonly auth: string;
  /** SHA-256 of the browser's secret, `\x` and hex. */
  readonly secret_hash: string | null;
  readonly status: 'subscribed' | 'unsubscribed';
  readonly vapid_key_number: number;
  readonly category_ids: readonly number[] | null;
  readonly wishes: TransferWishes | null;
  readonly [column: string]: unknown;
}

export interface LineContext {
  readonly policy: EndpointPolicy;
  /** Maps the file's key pair numbers to those of the app here. */
  readonly keyNumbers: ReadonlyMap<number, number>;
  readonly categoryIds: ReadonlyMap<number, number>;
}

type Fields = Readonly<Record<string, unknown>>;

const textColumns = ['browser_name', 'browser_version', 'os_name', 'os_version'] as const;
const timeColumns = ['created_at', 'last_seen_at', 'last_clicked_at', 'unsubscribed_at'] as const;
const MAX_TEXT = 255;
const MAX_EXTERNAL_IDS = 50;

/** @returns the row, or the reason why the line is refused. */
export function parseSubscriptionLine(value: unknown, context: LineContext): TransferSubscription | string {
  const row = parseRow(value, context.policy);
  if (typeof row === 'string') return row;
  const fields = value as Fields;
  const { status } = fields;
  if (status !== 'subscribed' && status !== 'unsubscribed')
    return 'status is neither subscribed nor unsubscribed';
  const keyNumber = context.keyNumbers.get(Number(fields.vapid_key_number));
  // Bound to a retired pair: it cannot be sent to, and only its history is left.
  if (keyNumber === undefined && status === 'subscribed')
    return 'vapid_key_number is not a key pair of the app';
  const texts = columnsOf(textColumns, fields, isShortText);
  if (typeof texts === 'string') return `${texts} is not a text of at most ${MAX_TEXT} characters`;
  const times = columnsOf(
    timeColumns,
    fields,
    (text) => typeof text === 'string' && parseTime(text) !== null,
  );
  if (typeof times === 'string') return `${times} is not an ISO 8601 time`;
  if (!isTexts(fields.external_ids ?? {}))
    return `external_ids are not an object of at most ${MAX_EXTERNAL_IDS} texts`;
  const categories = fields.category_ids ?? null;
  if (categories !== null && !Array.isArray(categories)) return 'category_ids are not a list';
  const wishes = wishesOf(fields.wishes);
  if (wishes === 'wrong') return 'wishes are none of a reader';
  const secretHash = secretHashOf(fields.secret_hash ?? null);
  if (secretHash === 'wrong') return `secret_hash is not a SHA-256 in base64`;
  return {
    endpoint: row.endpoint,
    p256dh: hex(row.p256dh),
    auth: hex(row.auth),
    secret_hash: secretHash,
    status,
    vapid_key_number: keyNumber ?? RETIRED_NUMBER,
    user_identity: row.userIdentity,
    country: row.country,
    device_type: row.device,
    time_zone: row.timeZone,
    language: row.language,
    tags: JSON.parse(row.tags),
    external_ids: fields.external_ids ?? {},
    category_ids: categories?.flatMap((id: unknown) => context.categoryIds.get(Number(id)) ?? []) ?? null,
    wishes,
    ...texts,
    ...times,
  };
}

const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

const HASH_BYTES = 32;

/** Without it an imported subscriber would no longer be recognized by the browser's secret. */
function secretHashOf(value: unknown): string | null | 'wrong' {
  if (value === null) return null;
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
  return bytes.length === HASH_BYTES && bytes.toString('base64') === value ? hex(bytes) : 'wrong';
}

/** No pair has this number: they begin with 1. */
const RETIRED_NUMBER = 0;

/** The columns that are given; the name of the first that is wrong. */
function columnsOf(
  names: readonly string[],
  fields: Fields,
  isRight: (value: unknown) => boolean,
): Fields | string {
  const given = names.filter((name) => fields[name] !== undefined && fields[name] !== null);
  const wrong = given.find((name) => !isRight(fields[name]));
  return wrong ?? Object.fromEntries(given.map((name) => [name, fields[name]]));
}

const isShortText = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_TEXT && isStorable(value);

function isTexts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_EXTERNAL_IDS &&
    entries.every(([key, text]) => isShortText(key) && isShortText(text))
  );
}
