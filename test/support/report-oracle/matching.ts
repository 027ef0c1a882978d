import type { ReportRequest } from '../../../reporting/report/request.ts';
import type { OracleRow } from './world.ts';

export type Filters = NonNullable<ReportRequest['filter_groups']>[number]['filters'];
export type Filter = Filters[number];

export function cellOf(
  key: ReportRequest['dimensions'][number],
  { row, day }: { readonly row: OracleRow; readonly day: string },
): string {
  if (key === 'day') return day;
  if (key === 'month') return day.slice(0, 7);
  return key === 'year' ? day.slice(0, 4) : row.texts[key];
}

export const matchesDimensions = (filters: Filters, row: OracleRow, day: string): boolean =>
  filters.every((filter) => filter.type === 'metric' || matches(filter, cellOf(filter.value, { row, day })));

function matches(filter: Extract<Filter, { type: 'dimension' }>, cell: string): boolean {
  const folded = (text: string): string =>
    ['domain', 'subdomain', 'country'].includes(filter.value) ? text.toLowerCase() : text;
  const text = folded(cell);
  const values = filter.selectedValues.map(String).map(folded);
  switch (filter.comparator) {
    case 'in':
    case 'is_any_of':
      return values.some((value) => value === text);
    case 'nin':
    case 'is_none_of':
      return values.every((value) => value !== text);
    case 'contains':
      return values.some((value) => text.indexOf(value) >= 0);
    case 'not_contains':
      return values.every((value) => text.indexOf(value) < 0);
    case 'starts_with':
      return values.some((value) => text.slice(0, value.length) === value);
    case 'ends_with':
      return values.some((value) => text.slice(Math.max(0, text.length - value.length)) === value);
  }
}
