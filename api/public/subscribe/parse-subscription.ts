import { type EndpointPolicy, parseNewEndpoint } from '../../../engine/contract/push-service.ts';
import { languageOf } from '../../../engine/contract/reader-language.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import type { Visitor } from '../../visitor/visitor.ts';
import { secretHashOf } from '../browser-name.ts';
import type { SubscribeBody } from './schema.ts';
import { parseSubscriptionKeys, type SubscriptionKeys } from './subscription-keys.ts';

export interface ParsedSubscription extends SubscriptionKeys {
  /** As the browser gave it: push services compare it byte by byte. */
  readonly endpoint: string;
  readonly userIdentity: string | null;
  /** SHA-256 of the browser's secret. Null: it sent none. */
  readonly secretHash: Buffer | null;
  readonly externalIds: Readonly<Record<string, string>>;
  /** Null: not stated. Empty: none chosen. They need not be the app's. */
  readonly categoryIds: readonly number[] | null;
  /** Which of the app's VAPID key pairs it was made with. Null: not stated. */
  readonly vapidKeyNumber: number | null;
  readonly visitor: Visitor;
  /** Null: not stated, or none that the runtime knows. */
  readonly timeZone: string | null;
  /** Null: not stated, or none. */
  readonly language: string | null;
  /** The prompt that its reader said yes to, as `round.variant`. Absent: another one, or none. */
  readonly promptVariant?: string;
  /** The client whose new rows are counted (`new-rows.ts`). Absent: none. */
  readonly client?: string;
}

/** A stranger's subscription → one that can be sent to; null where it cannot. */
export function parseSubscription(
  body: Omit<SubscribeBody, 'appId' | 'vapidKey'>,
  visitor: Visitor,
  policy: EndpointPolicy,
  vapidKeyNumber: number | null,
): ParsedSubscription | null {
  const { endpoint, keys } = body.subscription;
  if (typeof parseNewEndpoint(endpoint, policy) === 'string') return null;
  const parsed = parseSubscriptionKeys(keys.p256dh, keys.auth);
  if (typeof parsed === 'string') return null;
  return {
    ...parsed,
    endpoint,
    userIdentity: body.userId ?? null,
    secretHash: secretHashOf(body.browserSecret),
    externalIds: body.externalIds ?? {},
    categoryIds: body.categoryIds ?? null,
    vapidKeyNumber,
    visitor,
    timeZone: timeZoneOf(body.timeZone ?? ''),
    language: languageOf(body.language ?? ''),
    ...(body.promptVariant === undefined ? {} : { promptVariant: body.promptVariant }),
  };
}
