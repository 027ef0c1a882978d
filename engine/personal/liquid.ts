import { Liquid } from 'liquidjs';

/** What publishers may do with a tag's value. Each makes at most `MOST_OUTPUT_UNITS` of it, or is cut there. */
export const filterNames = ['default', 'capitalize', 'upcase', 'downcase', 'strip', 'truncate'] as const;

const isKnown = (name: string): boolean => filterNames.some((each) => each === name);

/** Without tags, files and all other filters: publishers write these texts. */
export function createLiquid(): Liquid {
  const liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: 10_000,
    memoryLimit: 100_000,
    renderLimit: 50,
  });
  for (const name of Object.keys(liquid.filters)) if (!isKnown(name)) delete liquid.filters[name];
  for (const name of Object.keys(liquid.tags)) delete liquid.tags[name];
  return liquid;
}
