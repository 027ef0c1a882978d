import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import webPush from 'web-push';
import type { Newsroom } from './newsroom.ts';

/** A browser's subscription, as another service keeps it. */
export interface KeptSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** An app of its own on the newsroom's site, with nobody subscribed. */
export async function withOwnApp(newsroom: Newsroom): Promise<Newsroom> {
  const body = { name: 'Example News', site_domain: newsroom.site.origin };
  const app = await newsroom.client.post<{ data: { identifier: string } }>('/apps', body);
  return { ...newsroom, appId: app.data.identifier };
}

/** Another service that the site sent with: its key pair, its worker at the old address, and its export. */
export interface FormerSender {
  /** The site's page and worker from before; the browsers that come to it subscribe. */
  putOn(): void;
  /** The page's script subscribes, and answers with what that service would keep. */
  subscribeIn(page: Page): Promise<KeptSubscription>;
  /** Imports these through the command, as documented. @returns its summary. */
  moved(kept: readonly KeptSubscription[]): Promise<{ readonly inserted: number; readonly updated: number }>;
}

export interface FormerPlace {
  /** On the site. */
  readonly path: string;
  readonly scope?: string;
}

/** For a page: the browser looks for the worker's new version, as on a visit, and this waits until that one runs. */
export const swapped = (scope: string): string => `(async () => {
  const registration = await navigator.serviceWorker.getRegistration(${JSON.stringify(scope)});
  const before = registration.active;
  await registration.update();
  while (registration.active === before && (registration.installing ?? registration.waiting) !== null)
    await new Promise((resolve) => setTimeout(resolve, 50));
})()`;

/** Its worker shows what it gets under a title of its own: a message that reaches it is seen. */
const formerWorker = `self.isFormer = true;
addEventListener('push', (event) => event.waitUntil(
  registration.showNotification('Former: ' + (event.data?.text() ?? '').slice(0, 20))));`;

export function createFormerSender(newsroom: Newsroom, { path, scope }: FormerPlace): FormerSender {
  const pair = webPush.generateVAPIDKeys();
  const { site } = newsroom;
  const register = `navigator.serviceWorker.register(${JSON.stringify(path)}, ${JSON.stringify(scope === undefined ? {} : { scope })})`;
  return {
    putOn: () => {
      site.setFile(path, formerWorker);
      site.setPage({ front: '<button id="notify">Former</button>', worker: '' });
    },
    subscribeIn: (page) =>
      page.evaluate(`(async () => {
        const registration = await ${register};
        const worker = registration.installing ?? registration.waiting;
        if (registration.active === null && worker !== null) await new Promise((resolve) =>
          worker.addEventListener('statechange', () => worker.state === 'activated' && resolve()));
        const options = { userVisibleOnly: true, applicationServerKey: ${JSON.stringify(pair.publicKey)} };
        return JSON.parse(JSON.stringify(await registration.pushManager.subscribe(options)));
      })()`) as Promise<KeptSubscription>,
    moved: async (kept) => {
      const folder = await mkdtemp(join(tmpdir(), 'broadside-former-'));
      try {
        const lines = ['identifier,web_auth,web_p256,external_user_id,tags,invalid_identifier'];
        for (const { endpoint, keys } of kept)
          lines.push(`${endpoint},${keys.auth},${keys.p256dh},account-7,"{""city"":""Ulm""}",f`);
        await writeFile(join(folder, 'users.csv'), lines.join('\n'));
        await writeFile(join(folder, 'keys.json'), JSON.stringify(pair));
        const files = ['--vapid', join(folder, 'keys.json'), '--json', join(folder, 'users.csv')];
        const place = ['--app', newsroom.appId, '--from', 'onesignal'];
        return JSON.parse(await newsroom.command('import', 'subscriptions', ...place, ...files));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
