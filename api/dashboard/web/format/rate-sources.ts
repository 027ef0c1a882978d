import { t } from '../texts/t.ts';

/** Where exchange rates came from, each once, by the names that their owners write. */
export const rateSources = (rates: readonly { readonly source: string }[]): string =>
  [...new Set(rates.map(({ source }) => t.charts.rateSources[source] ?? source))].join(', ');
