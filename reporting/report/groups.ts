import type { DimensionFilter, FilterGroup, MetricFilter } from './filters.ts';

/**
 * The filter groups of a request, taken apart. Groups with the same dimension filters share a *branch*: the
 * base rows that these let through. A branch counts for a report row when one of its groups holds there.
 */
export interface Branch {
  readonly dimensionFilters: readonly DimensionFilter[];
  /** The metric filters of each of its groups; a group without any holds wherever it has rows. */
  readonly groups: readonly (readonly MetricFilter[])[];
}

/** Without groups: one branch without filters, in which everything counts. */
export function branchesOf(groups: readonly FilterGroup[] = []): readonly Branch[] {
  if (groups.length === 0) return [{ dimensionFilters: [], groups: [[]] }];
  const branches = new Map<string, { dimensionFilters: DimensionFilter[]; groups: MetricFilter[][] }>();
  for (const { filters } of groups) {
    const dimensionFilters = filters.filter((filter) => filter.type === 'dimension');
    const key = JSON.stringify(dimensionFilters);
    const branch = branches.get(key) ?? { dimensionFilters, groups: [] };
    branch.groups.push(filters.filter((filter) => filter.type === 'metric'));
    branches.set(key, branch);
  }
  return [...branches.values()];
}

export const alwaysHolds = ({ groups }: Branch): boolean => groups.some((filters) => filters.length === 0);

export const metricFiltersOf = (branches: readonly Branch[]): readonly MetricFilter[] =>
  branches.flatMap(({ groups }) => groups.flat());

/** Only then must a row's totals be known before it is known which base rows count: for that rows have masks. */
export const needsMask = (branches: readonly Branch[]): boolean =>
  branches.length > 1 && !branches.every(alwaysHolds);
