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

/** Names of another script: how the statistics hold them, and how people read and write them. */
export const scripts: ReadonlyMap<string, string> = new Map([
  ['xn--bcher-kva.example', 'bücher.example'],
  ['m.xn--bcher-kva.example', 'm.bücher.example'],
]);
/** Names of networks for values that rows have as codes, and parts of codes that are such names. */
const names: Readonly<Partial<Record<Filter['value'], Readonly<Record<string, string>>>>> = {
  country: { germany: 'de', frankreich: 'fr', ind: 'in', '(unknown)': '', unknown: '' },
  device: {
    Desktop: 'desktop',
    desk: 'desktop',
    Smartphone: 'mobile',
    tablette: 'tablet',
    Unknown: '',
    unknown: '',
  },
  media_type: { Banner: 'display', VIDEO: 'video', nativ: 'native', unknown: '' },
  deal_type: { 'Offene Auktion': 'open auction', PMP: 'deal', unknown: '' },
};
export const namesOf = (key: Filter['value']): readonly string[] => Object.keys(names[key] ?? {});
const isName = (key: Filter['value']): boolean => key === 'domain' || key === 'subdomain';

/** What an answer shows of a cell. */
export const shownCell = (key: Filter['value'], cell: string): string =>
  isName(key) ? (scripts.get(cell) ?? cell) : cell;

/** The texts that a cell may be found by: a part that is written `xn--` is one of the name as it is held. */
function textsOf(key: Filter['value'], cell: string, value: string): string[] {
  if (key === 'country') return [cell.toLowerCase()];
  if (!isName(key)) return [cell];
  return value.includes('xn--') ? [cell, shownCell(key, cell)] : [shownCell(key, cell)];
}

function matches(filter: Extract<Filter, { type: 'dimension' }>, cell: string): boolean {
  const fold = isName(filter.value) || filter.value === 'country';
  const values = filter.selectedValues.map(String).map((value) => (fold ? value.toLowerCase() : value));
  const some = (holds: (text: string, value: string) => boolean): boolean =>
    values.some((value) => textsOf(filter.value, cell, value).some((text) => holds(text, value)));
  // A name is its value, a part that is one may be any part of others as well.
  const named = values.map((value) => names[filter.value]?.[value]);
  const whole = fold ? cell.toLowerCase() : cell;
  const isNamed = named.includes(whole);
  const isPartly = isNamed && whole !== '';
  switch (filter.comparator) {
    case 'in':
    case 'is_any_of':
      return isNamed || some((text, value) => text === value);
    case 'nin':
    case 'is_none_of':
      return !isNamed && !some((text, value) => text === value);
    case 'contains':
      return isPartly || some((text, value) => text.indexOf(value) >= 0);
    case 'not_contains':
      return !isPartly && !some((text, value) => text.indexOf(value) >= 0);
    case 'starts_with':
      return isPartly || some((text, value) => text.slice(0, value.length) === value);
    case 'ends_with':
      return isPartly || some((text, value) => text.slice(Math.max(0, text.length - value.length)) === value);
  }
}
