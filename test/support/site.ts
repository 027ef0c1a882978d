import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { newEndpoint, newKeys } from '../api/support.ts';
import { buildApp } from './builders.ts';

export interface StoredSubscription {
  readonly seq: number;
  readonly endpoint: string;
  readonly status: string;
  readonly user_identity: string | null;
  readonly tags: Record<string, string>;
  readonly external_ids: Record<string, string>;
  readonly category_ids: number[] | null;
  readonly device_type: string | null;
  readonly browser_name: string | null;
  readonly browser_version: string | null;
  readonly os_name: string | null;
  readonly os_version: string | null;
  readonly country: string | null;
  readonly time_zone: string | null;
  readonly language: string | null;
  readonly time_zone_changed_at: Date | null;
  readonly last_seen_at: Date;
  readonly unsubscribed_at: Date | null;
}

export type PublicPath =
  | 'subscribe'
  | 'update_subscription'
  | 'subscription-tags'
  | 'test-browser'
  | 'preferences'
  | 'prompt-event';

/** A new app, and the page at its site_domain whose browsers call the public API. */
export interface Site {
  readonly appId: AppId;
  readonly identifier: string;
  /** What a new browser sends to subscribe. */
  subscribeBody(changes?: object, subscription?: object): SubscribeBody;
  /** From the site's page; a header that is undefined is left out. */
  post(path: PublicPath, payload: object, headers?: Record<string, string | undefined>): Promise<Answer>;
  /** In the order of `seq`. */
  rows(): Promise<StoredSubscription[]>;
  /** The app's counts, and what counting its rows gives; equal unless something is lost or doubled. */
  books(): Promise<{ counted: [all: number, active: number]; real: [all: number, active: number] }>;
}

export type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;

export interface SubscribeBody {
  readonly appId: string;
  readonly userId: string;
  readonly subscription: { readonly endpoint: string; readonly keys: { p256dh: string; auth: string } };
}

/** What `buildApp` gives its apps. */
export const SITE_ORIGIN = 'https://news.example';

export async function createSite(app: FastifyInstance, database: Database): Promise<Site> {
  const { id: appId, identifier } = await buildApp(database);
  const rows = () =>
    database.query<StoredSubscription>(
      `SELECT *, (SELECT name FROM time_zones WHERE time_zones.id = time_zone_id) AS time_zone
         FROM subscriptions WHERE app_id = $1 ORDER BY seq`,
      [appId],
    );
  return {
    appId,
    identifier,
    rows,
    subscribeBody: (changes = {}, subscription = {}) => ({
      appId: identifier,
      userId: randomBytes(8).toString('hex'),
      subscription: { endpoint: newEndpoint(), expirationTime: null, keys: newKeys(), ...subscription },
      ...changes,
    }),
    post: (path, payload, headers = {}) => {
      const all = { 'x-app-id': identifier, origin: SITE_ORIGIN, ...headers };
      const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return app.inject({
        method: 'POST',
        url: `/api/v1/public/${path}`,
        headers: Object.fromEntries(given),
        payload,
      });
    },
    books: async () => {
      const [counts] = await database.query<{ all: number; active: number }>(
        `SELECT subscriber_count AS all, active_subscriber_count AS active FROM apps WHERE id = $1`,
        [appId],
      );
      const stored = await rows();
      const active = stored.filter(({ status }) => status === 'subscribed');
      return { counted: [counts?.all ?? -1, counts?.active ?? -1], real: [stored.length, active.length] };
    },
  };
}
