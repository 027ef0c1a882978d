/** What the schema of a report request has against a body, as the route would answer it. */
import { createValidatorCompiler, InvalidRequest } from '../../engine/kit/http/validation.ts';
import { reportRequest } from '../../reporting/report/request.ts';

const validate = createValidatorCompiler()({
  schema: reportRequest,
  method: 'POST',
  url: '/reports/generate',
  httpPart: 'body',
});

export const minimal = { dimensions: ['day'], metrics: ['impressions'], currency: 'EUR' };

export function errorsOf(body: unknown): Readonly<Record<string, readonly string[]>> {
  // As it comes: what is undefined is not there.
  const result = validate(JSON.parse(JSON.stringify(body))) as { readonly error?: unknown };
  if (result.error === undefined) return {};
  if (!(result.error instanceof InvalidRequest)) throw result.error;
  return result.error.fieldErrors;
}
export const errorsWith = (changes: object) => errorsOf({ ...minimal, ...changes });

/** Filters that are right. */
export const dimensionFilter = {
  value: 'country',
  type: 'dimension',
  comparator: 'in',
  selectedValues: ['DE'],
};
export const metricFilter = { value: 'ecpm', type: 'metric', comparison: 'gte', selectedValue: 1 };
export const filtered = (...filters: unknown[]) => ({ filter_groups: [{ operator: 'or', filters }] });
export const inFilter = (field: string, words: string) => {
  const path = `filter_groups.0.filters.0${field === '' ? '' : `.${field}`}`;
  return { [path]: [`The ${path} field ${words}.`] };
};
export const inField = (path: string, words: string) => ({ [path]: [`The ${path} field ${words}.`] });
