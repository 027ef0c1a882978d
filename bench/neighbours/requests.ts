import { createECDH, randomBytes } from 'node:crypto';
import type { BuiltApp } from '../../test/support/builders.ts';
import type { Ask } from './ask.ts';

const SITE = 'https://news.example';

/** The usual requests of an organization that reads its app. */
export const ordinary = (url: string, app: BuiltApp, token: string): Ask[] =>
  [
    'subscriptions?per_page=25',
    'subscriptions?status=subscribed&tag[plan]=premium',
    'subscriptions?sort=last_seen_at',
    'deliveries?per_page=25',
    'analytics/subscribers?days=30',
    'segments',
  ].map((path) => get(url, app, token, path));

/** The requests whose cost a member may choose, at their most expensive. */
export function greedy(url: string, app: BuiltApp, token: string): Ask[] {
  const tags = 'tag[plan]=free&tag[topic]=sport&tag[region]=region-7';
  const lists = [
    ...['created_at', 'last_seen_at', 'last_clicked_at', 'notifications_sent'].flatMap((sort) => [
      `subscriptions?${tags}&sort=${sort}&per_page=100&page=20`,
      `subscriptions?search=c-9&sort=${sort}&direction=asc`,
      `subscriptions?search=a1&status=unsubscribed&device_type=mobile&sort=${sort}`,
    ]),
    'subscriptions?status=subscribed&sort=last_clicked_at&per_page=100&page=400',
    'deliveries?name=edition&title=a&per_page=100&page=3',
    ...[7, 30, 90].flatMap((days) => [
      `analytics/deliveries?days=${days}`,
      `analytics/engagement?days=${days}`,
    ]),
    'analytics/overview',
    'vapid-keys',
  ];
  const conditions = Array.from({ length: 50 }, (_, n) => ({
    field: 'tag',
    operator: 'not_equals',
    key: 'region',
    value: `region-${n}`,
  }));
  return [
    ...lists.map((path) => get(url, app, token, path)),
    {
      ...get(url, app, token, 'segments/preview'),
      method: 'POST',
      body: () => ({ rules: { match: 'all', conditions } }),
    },
  ];
}

const get = (url: string, app: BuiltApp, token: string, path: string): Ask => ({
  name: path,
  method: 'GET',
  url: encodeURI(`${url}/api/v1/client/apps/${app.identifier}/${path}`),
  headers: { authorization: `Bearer ${token}` },
});

/** New browsers of a page. */
export function subscribe(url: string, app: BuiltApp): Ask {
  const p256dh = createECDH('prime256v1').generateKeys().toString('base64url');
  const auth = randomBytes(16).toString('base64url');
  return {
    name: 'subscribe',
    method: 'POST',
    url: `${url}/api/v1/public/subscribe`,
    headers: { origin: SITE, 'x-app-id': app.identifier, 'user-agent': 'Mozilla/5.0 Firefox/144.0' },
    body: () => {
      const id = randomBytes(24).toString('base64url');
      const endpoint = `https://fcm.googleapis.com/fcm/send/${id}:${id}`;
      const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } };
      return { appId: app.identifier, userId: id, subscription };
    },
  };
}
