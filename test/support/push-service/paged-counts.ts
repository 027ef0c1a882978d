/** Counts per index that take memory only where something was counted; a million indexes cost 2 MB. */
export interface PagedCounts {
  /** @returns the new count; it stays at 65,535. */
  add(index: number): number;
  get(index: number): number;
  /** Calls `visit` for every index counted more than `above` times, until it answers false. */
  scan(above: number, visit: (index: number, count: number) => boolean): void;
}

const PAGE_SIZE = 1_024;
const MAX_COUNT = 65_535;

export function createPagedCounts(): PagedCounts {
  const pages = new Map<number, Uint16Array>();

  function pageOf(index: number): Uint16Array {
    const number = Math.floor(index / PAGE_SIZE);
    const page = pages.get(number) ?? new Uint16Array(PAGE_SIZE);
    if (!pages.has(number)) pages.set(number, page);
    return page;
  }

  return {
    add(index) {
      const page = pageOf(index);
      const count = Math.min(MAX_COUNT, (page[index % PAGE_SIZE] as number) + 1);
      page[index % PAGE_SIZE] = count;
      return count;
    },
    get: (index) => pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE] ?? 0,
    scan(above, visit) {
      for (const [number, page] of pages) {
        for (let at = 0; at < PAGE_SIZE; at++) {
          const count = page[at] as number;
          if (count > above && !visit(number * PAGE_SIZE + at, count)) return;
        }
      }
    },
  };
}
