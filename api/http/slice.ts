import type { Page } from './page.ts';

/** Where a page lies in an index, from the end that is nearer. */
export interface Slice {
  /** Read in the opposite order, and reverse the result. */
  readonly reversed: boolean;
  readonly offset: number;
  /** 0: the page is past the last one. */
  readonly limit: number;
}

/** An OFFSET is walked row by row: from the nearer end the last page costs as much as the first. */
export function sliceOf(page: Page, total: number): Slice {
  const limit = Math.max(0, Math.min(page.size, total - page.offset));
  const fromEnd = total - page.offset - limit;
  return fromEnd < page.offset
    ? { reversed: true, offset: fromEnd, limit }
    : { reversed: false, offset: page.offset, limit };
}
