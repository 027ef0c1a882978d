import { createHttp } from '../../../bench/stand/http.ts';
import type { PushServiceDouble } from '../push-service/start.ts';

const SITE = 'https://news.example';
const POLL_MS = 100;
const DEADLINE_MS = 120_000;

/**
 * What a publisher's first minute comes to: makes an app, subscribes a browser on its site, and sends to it.
 * @param api such as `http://127.0.0.1:8080`.
 * @returns the plaintext that the browser got.
 * @throws Error where it has not arrived in time.
 */
export async function deliverToBrowser(
  api: string,
  token: string,
  pushService: PushServiceDouble,
): Promise<string> {
  const client = createHttp(`${api}/api/v1/client`, token);
  const { data: app } = await client.post<{ data: { identifier: string } }>('/apps', {
    name: 'Daily Example',
    site_domain: SITE,
  });
  const page = { origin: SITE, 'x-app-id': app.identifier };
  const asked = await fetch(`${api}/api/v1/public/app`, { headers: page });
  const { vapidPublicKey } = (await asked.json()) as { vapidPublicKey: string };
  const { endpoint, p256dh, auth } = pushService.subscriber(0, vapidPublicKey);
  const subscribed = await fetch(`${api}/api/v1/public/subscribe`, {
    method: 'POST',
    headers: { ...page, 'content-type': 'application/json' },
    body: JSON.stringify({
      appId: app.identifier,
      userId: 'reader-0',
      subscription: { endpoint, expirationTime: null, keys: { p256dh, auth } },
    }),
  });
  if (!subscribed.ok)
    throw new Error(`subscribing was answered ${subscribed.status}: ${await subscribed.text()}`);
  await client.post(`/apps/${app.identifier}/deliveries`, {
    ...{ name: 'Storm', title: 'Storm warning', body: 'Ferries stop at noon.', url: `${SITE}/storm` },
  });
  for (const endsAt = performance.now() + DEADLINE_MS; performance.now() < endsAt; ) {
    const message = await pushService.message(0);
    if (message !== null) return message.plaintext;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('nothing arrived at the push service');
}
