import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { type AppId, toId } from '../../engine/contract/ids.ts';
import { isLoopbackHost } from '../settings/loopback-host.ts';
import { createCache } from './cache.ts';
import { usableKeyNumbers } from './vapid-key/key-number.ts';

export interface PublicApp {
  readonly id: AppId;
  readonly identifier: string;
  /** The `applicationServerKey` of browsers: base64url. */
  readonly vapidPublicKey: string;
  readonly fallbackText: string | null;
  /** Some reader chose something in the preference centre. */
  readonly hasWishes: boolean;
  /** Notifications have a button that leads there. */
  readonly preferencesButton: boolean;
  readonly appBadge: boolean;
  /** The numbers of the pairs that subscriptions may be made with, by their public keys. */
  readonly keyNumbers: Readonly<Record<string, number>>;
}

/** Decides which pages may speak for which app: exactly the one at its site_domain. */
export interface OriginCheck {
  /** For preflights, which name no app: whether any app has this origin. */
  isKnownOrigin(origin: string): Promise<boolean>;
  /** Null where the app is missing or has another origin; the two look the same. */
  appOfOrigin(identifier: string, origin: string): Promise<PublicApp | null>;
}

/**
 * How long an answer is cached: after an app moved to another domain, or was deleted, the old answer holds that
 * much longer. A subscribe that writes checks again that the app exists.
 */
const KEEP_MS = 5_000;
const MAX_REMEMBERED = 2_000;
/** No identifier is longer (at most 255 characters), and longer ones would fill the cache. */
const MAX_LENGTH = 2_048;

export function createOriginCheck(sql: Sql, options: { readonly allowLocalhost: boolean }): OriginCheck {
  const isLocal = (origin: string): boolean => options.allowLocalhost && isLocalhost(origin);
  const limits = { maxEntries: MAX_REMEMBERED, keepMs: KEEP_MS };
  const rememberOrigin = createCache<boolean>(limits);
  const rememberApp = createCache<PublicApp | null>(limits);
  return {
    isKnownOrigin: async (origin) => {
      if (origin.length > MAX_LENGTH) return false;
      return isLocal(origin) || rememberOrigin(origin, () => hasApp(sql, origin));
    },
    appOfOrigin: async (identifier, origin) => {
      if (identifier.length + origin.length > MAX_LENGTH) return null;
      return rememberApp(`${identifier} ${origin}`, () => findApp(sql, identifier, origin, isLocal(origin)));
    },
  };
}

async function hasApp(sql: Sql, origin: string): Promise<boolean> {
  const rows = await sql.query(`SELECT 1 FROM apps WHERE site_domain = $1 AND deleted_at IS NULL LIMIT 1`, [
    origin,
  ]);
  return rows.length === 1;
}

async function findApp(
  sql: Sql,
  identifier: string,
  origin: string,
  anyOrigin: boolean,
): Promise<PublicApp | null> {
  const [row] = await sql.query<{
    id: number;
    key: string;
    keys: Record<string, number>;
    text: string | null;
    wishes: boolean;
    button: boolean;
    badge: boolean;
  }>(
    `SELECT id, vapid_public_key AS key, ${usableKeyNumbers} AS keys, fallback_text AS text,
       has_wishes AS wishes, preferences_button AS button, app_badge AS badge
     FROM apps WHERE identifier = $1 AND (site_domain = $2 OR $3) AND deleted_at IS NULL`,
    [identifier, origin, anyOrigin],
  );
  if (row === undefined) return null;
  const { id, key: vapidPublicKey, keys: keyNumbers, text: fallbackText } = row;
  const { wishes: hasWishes, button: preferencesButton, badge: appBadge } = row;
  const settings = { fallbackText, hasWishes, preferencesButton, appBadge };
  return { id: toId(id), identifier, vapidPublicKey, keyNumbers, ...settings };
}

function isLocalhost(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && url.origin === origin && isLoopbackHost(url.hostname);
}
