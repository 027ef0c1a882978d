import type { Page } from 'puppeteer-core';

/** Changes what the SDK keeps of this browser's reader. @param changes JavaScript, of `kept`. */
export const changeKept = async (page: Page, changes: string): Promise<void> =>
  void (await page.evaluate(`new Promise((resolve, reject) => {
    const request = indexedDB.open('broadside', 1);
    request.onerror = reject;
    request.onsuccess = () => {
      const store = request.result.transaction('profile', 'readwrite').objectStore('profile');
      store.get('profile').onsuccess = ({ target: { result: kept } }) =>
        store.put({ ...kept, ...${changes} }, 'profile');
      store.transaction.oncomplete = () => { request.result.close(); resolve(0); };
    };
  })`));
