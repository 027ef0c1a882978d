import { lazyRouteComponent } from '@tanstack/react-router';
import { isOffline, Problem } from '../http/problem.ts';
import { loadPagesTexts, loadSeldomTexts, t } from '../texts/t.ts';

/** A page's code that could not be fetched, because the browser is offline. */
export class PageMissing extends Problem {
  constructor() {
    super(0, t.problems.pageMissing);
  }
}

/** Of every page: what fetches its code. */
const importers = new Map<unknown, () => Promise<unknown>>();

/**
 * A page whose code, with the texts that it reads, is fetched on navigation. Where that fails the router reloads the whole page, which a new build
 * needs; offline, the browser would show its own error page instead.
 */
export const lazyPage: typeof lazyRouteComponent = (importer, name) => {
  const load = () => loadPagesTexts().then(importer);
  const page = lazyRouteComponent(
    () => load().catch((error: unknown) => Promise.reject(isOffline() ? new PageMissing() : error)),
    name,
  );
  importers.set(page, load);
  return page;
};

/** Of a page that few people go to: its texts come with it. */
export const seldomPage: typeof lazyRouteComponent = (importer, name) =>
  lazyPage(() => loadSeldomTexts().then(importer), name);

/** Fetches the code of this page ahead of time. False where that failed: going there then tries again. */
export async function prefetchPage(page: unknown): Promise<boolean> {
  try {
    await importers.get(page)?.();
    return true;
  } catch {
    return false;
  }
}
