import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';

/** In a page of a subscribed reader: what its own secret gets, with the address of the reader's page. */
export const readOwnPreferences = (apiUrl: string): string => `(async () => {
  const opened = indexedDB.open('broadside', 1);
  const profile = await new Promise((resolve) => {
    opened.onsuccess = () => {
      const asked = opened.result.transaction('profile').objectStore('profile').get('profile');
      asked.onsuccess = () => { opened.result.close(); resolve(asked.result); };
    };
  });
  const answer = await fetch('${apiUrl}/api/v1/public/preferences', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app-id': profile.appId },
    body: JSON.stringify({ browserSecret: profile.secret }),
  });
  return answer.json();
})()`;

export interface OwnPreferences {
  readonly url: string;
  readonly revision: number;
  readonly subscribed: boolean;
}

const folder = fileURLToPath(new URL('../../../.cache/screenshots', import.meta.url));

/** To view: `.cache/screenshots/<name>.png`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
