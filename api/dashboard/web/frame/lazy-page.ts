import { lazyRouteComponent } from '@tanstack/react-router';
import { isOffline, Problem } from '../data/http/problem.ts';
import { loadHomeTexts, loadPagesTexts, loadSeldomTexts, t } from '../texts/t.ts';

/** A page's code that could not be fetched, because the browser is offline. */
export class PageMissing extends Problem {
  constructor() {
    super(0, t.problems.pageMissing);
  }
}

/** Of every page: what fetches its code. */
const importers = new Map<unknown, () => Promise<unknown>>();

/**
 * Pages whose code, with the texts that it reads, is fetched on navigation. Where that fails the router reloads the whole
 * page, which a new build needs; offline, the browser would show its own error page instead.
 */
const pageAfter =
  (loadTexts: () => Promise<void>): typeof lazyRouteComponent =>
  (importer, name) => {
    const load = () => loadTexts().then(importer);
    const page = lazyRouteComponent(
      () => load().catch((error: unknown) => Promise.reject(isOffline() ? new PageMissing() : error)),
      name,
    );
    importers.set(page, load);
    return page;
  };

/** The frame and the overview: no text of another page comes before them. */
export const homePage = pageAfter(loadHomeTexts);

export const lazyPage = pageAfter(loadPagesTexts);

/** A page that few people go to: its texts come with it. */
export const seldomPage = pageAfter(loadSeldomTexts);

/** Fetches the code of this page ahead of time. False where that failed: going there then tries again. */
export async function prefetchPage(page: unknown): Promise<boolean> {
  try {
    await importers.get(page)?.();
    return true;
  } catch {
    return false;
  }
}
