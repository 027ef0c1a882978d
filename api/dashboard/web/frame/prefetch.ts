import type { AnyRouter } from '@tanstack/react-router';
import { prefetchPage } from './lazy-page.ts';

/** Where a browser does not say when it is idle. */
const QUIET_AFTER_MS = 1_000;

interface WithConnection {
  readonly connection?: { readonly saveData?: boolean };
}

/** The code of the page that was asked for, while the session is: the router fetches it only after that. */
export function prefetchFirstPage(router: AnyRouter): void {
  for (const { routeId } of router.matchRoutes(router.latestLocation))
    void prefetchPage(router.routesById[routeId]?.options.component);
}

/** Somebody is about to go on. */
const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const;
/** Without a sign. */
const BEGIN_AFTER_MS = 5_000;

/**
 * Once the first page is there, the code of the others: one page after another while the browser is idle, so that no
 * request of a reader waits for it. From the first sign on that somebody goes on: a slow phone has its first page to
 * finish. Not where the browser is asked to save data.
 */
export function prefetchPages(router: AnyRouter): void {
  if ((navigator as WithConnection).connection?.saveData === true) return;
  const stop = router.subscribe('onRendered', () => {
    stop();
    void firstSign().then(() =>
      fetchAll(Object.values(router.routesById).map(({ options }) => options.component)),
    );
  });
}

async function fetchAll(pages: readonly unknown[]): Promise<void> {
  for (const page of pages) {
    await idle();
    if (!(await prefetchPage(page))) return;
  }
}

const firstSign = (): Promise<void> =>
  new Promise((resolve) => {
    const listening = new AbortController();
    const begin = (): void => {
      listening.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(begin, BEGIN_AFTER_MS);
    for (const sign of signs) addEventListener(sign, begin, { signal: listening.signal, passive: true });
  });

const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve);
    else setTimeout(resolve, QUIET_AFTER_MS);
  });
