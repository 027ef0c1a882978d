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

/** Of a page of the site: how many events wait to be sent. */
export const countKept = `new Promise((resolve, reject) => {
  const request = indexedDB.open('broadside', 1);
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const count = request.result.transaction('beacons').objectStore('beacons').count();
    count.onsuccess = () => {
      request.result.close();
      resolve(count.result);
    };
  };
})`;
