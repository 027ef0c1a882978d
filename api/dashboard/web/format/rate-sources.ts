import { t } from '../texts/t.ts';
import { formatUtcDay } from './format.ts';

/** Where exchange rates came from, each once, by the names that their owners write. */
export const rateSources = (rates: readonly { readonly source: string }[]): string =>
  [...new Set(rates.map(({ source }) => t.charts.rateSources[source] ?? source))].join(', ');

/** A currency of which newer rates are missing. */
export interface OldRate {
  readonly currency: string;
  readonly rate_day: string;
}

/** A sentence that names them; none where there are none. */
export const oldRatesText = (rates: readonly OldRate[]): string[] =>
  rates.length === 0
    ? []
    : [
        t.charts.oldRates(
          rates
            .map(({ currency, rate_day: day }) => `${currency} (${formatUtcDay(new Date(day))})`)
            .join(', '),
        ),
      ];
