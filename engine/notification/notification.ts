import { type Face, noFace } from '../contract/face.ts';
import { isRightToLeft } from '../contract/text-direction.ts';
import { timestampOf } from '../contract/timestamp.ts';
import { withClick } from './click-parameter.ts';

/**
 * The notification before encryption: one plaintext per delivery, the same for every target. A valid
 * Declarative Web Push message (https://www.w3.org/TR/push-api/, "declarative push message"), so a browser that
 * supports it shows it without a service worker; `mutable` lets the SDK's service worker, where it runs, show
 * it itself and count it.
 */
export interface NotificationContent {
  readonly title: string;
  readonly body: string;
  /** Click-through URL, as the publisher gave it. */
  readonly url: string;
  readonly imageUrl: string | null;
  /** Its own, such as its author's face. Absent or null: the app's. */
  readonly iconUrl?: string | null;
  /** The app's. Absent: it has none. */
  readonly face?: Face;
  readonly buttons: readonly NotificationButton[];
  readonly topic: string | null;
  /** The tag of the notification that this one corrects; browsers replace that one, and alert the reader again. */
  readonly replaces?: string;
  readonly requireInteraction: boolean;
  readonly silent: boolean;
  /** Milliseconds on, off, on, …; empty: the device's own. */
  readonly vibratePattern: readonly number[];
  /** BCP 47, of its texts; a screen reader speaks it. */
  readonly language?: string | null;
  /** The origin where the SDK reports clicks that no worker sees; absent: nowhere. */
  readonly site?: string;
}

export interface NotificationButton {
  readonly title: string;
  readonly url: string;
}

/** Ties beacons to a delivery that was received. */
export interface NotificationOrigin {
  readonly app: string;
  readonly delivery: string;
  readonly proof: string;
}

export interface QueryParam {
  readonly key: string;
  readonly value: string;
}

/** 4,096 bytes on the wire (RFC 8291, section 4) minus header, delimiter and tag. */
export const MAX_PLAINTEXT_BYTES = 3_993;

/** Marks a Declarative Web Push message: this number distinguishes it from any other JSON. */
const WEB_PUSH = 8030;

interface Built {
  readonly notification: { readonly tag: string; readonly data: NotificationOrigin };
}
const builtOf = (plaintext: Uint8Array): Built => JSON.parse(Buffer.from(plaintext).toString()) as Built;

/**
 * @param plaintext of `buildNotification`.
 * @returns what it replaces where it is shown, and what a correction replaces.
 */
export const tagOf = (plaintext: Uint8Array): string => builtOf(plaintext).notification.tag;

/** @param plaintext of `buildNotification`. */
export const originOf = (plaintext: Uint8Array): NotificationOrigin => builtOf(plaintext).notification.data;

/**
 * @param atMs when it is made: an engine that sends it later writes its own time there.
 * @returns the plaintext, UTF-8 JSON. It may be longer than `MAX_PLAINTEXT_BYTES`: the caller measures.
 */
export function buildNotification(
  content: NotificationContent,
  origin: NotificationOrigin,
  params: readonly QueryParam[],
  atMs = Date.now(),
): Buffer {
  const { icon, badge, counts } = content.face ?? noFace;
  const shownIcon = content.iconUrl ?? icon;
  const navigate = (url: string, button: number | null = null): string =>
    withClick(withQueryParams(url, params), content.site, origin, button);
  // In both places, as `mutable`: Safari 18.4 to 18.6 reads it inside (WebKit bug 293457 moved it). What a browser that runs
  // no worker shows of it is the same for all readers, so it can say that there is something, and not how much.
  const appBadge = counts ? { app_badge: 1 } : {};
  const notification = {
    // First, so that it is found again without reading the rest.
    ...timestampOf(atMs),
    title: content.title,
    body: content.body,
    ...languageOf(content.language ?? null),
    navigate: navigate(content.url),
    // At most one display: a duplicate replaces the first, without a second alert (no `renotify`).
    tag: content.replaces ?? content.topic ?? origin.delivery,
    ...(content.replaces === undefined ? {} : { renotify: true }),
    ...(shownIcon === null ? {} : { icon: shownIcon }),
    ...(badge === null ? {} : { badge }),
    ...(content.imageUrl === null ? {} : { image: content.imageUrl }),
    ...(content.buttons.length === 0
      ? {}
      : {
          actions: content.buttons.map(({ title, url }, index) => ({
            action: `button-${index}`,
            title,
            navigate: navigate(url, index),
          })),
        }),
    ...(content.requireInteraction ? { requireInteraction: true } : {}),
    ...signalOf(content),
    // Inside `notification`: of a declarative message a service worker is given only that, not the JSON.
    data: origin,
    // Safari 18.4 to 26.1 reads it here, later ones beside `notification` (WebKit bug 296770).
    mutable: true,
    ...appBadge,
  };
  return Buffer.from(JSON.stringify({ web_push: WEB_PUSH, notification, mutable: true, ...appBadge }));
}

/** Browsers take the direction from the first letter by themselves, which may be that of a name in another script. */
const languageOf = (language: string | null): object =>
  language === null ? {} : { lang: language, ...(isRightToLeft(language) ? { dir: 'rtl' } : {}) };

/** A notification that is silent and vibrates makes `showNotification` throw. */
function signalOf(content: NotificationContent): object {
  if (content.silent) return { silent: true };
  return content.vibratePattern.length === 0 ? {} : { vibrate: content.vibratePattern };
}

/**
 * Adds the app's parameters to a URL. One that the URL already has keeps its value: the delivery's own setting
 * overrides its app's. The rest of the URL stays as written, byte for byte.
 */
export function withQueryParams(url: string, params: readonly QueryParam[]): string {
  const parsed = new URL(url);
  const added = params
    .filter(({ key }) => !parsed.searchParams.has(key))
    .map(({ key, value }) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
  if (added.length === 0) return url;
  const [beforeHash = '', ...hash] = url.split('#');
  const joint = !beforeHash.includes('?') ? '?' : /[?&]$/.test(beforeHash) ? '' : '&';
  return [beforeHash + joint + added.join('&'), ...hash].join('#');
}
