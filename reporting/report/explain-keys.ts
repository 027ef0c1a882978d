import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { explainWith, say } from '../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import type { Explain } from '../../engine/kit/http/rules.ts';

/** The schema's errors, and each repeated entry: a validator's `uniqueItems` names none of them. */
const explainList =
  (path: string, words: string, keyOf: (item: unknown) => unknown, keyPath = '') =>
  (schema: TSchema): Explain => {
    const validator = Compile(schema);
    return (value) => ({ ...repeated(value), ...explainWith(validator, value, path) });

    function repeated(value: unknown): FieldErrors {
      if (!Array.isArray(value)) return {};
      // Longer than every key once: the schema reports it, and most of it would be repetitions.
      const keys = value.slice(0, 2 * MAX_KEYS).map(keyOf);
      const again = keys.flatMap((key, index) =>
        key !== undefined && keys.indexOf(key) < index ? [say(`${path}/${index}${keyPath}`, words)] : [],
      );
      return Object.assign({}, ...again);
    }
  };

const MAX_KEYS = 32;
const itself = (item: unknown): unknown => item;
const byOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? (item as { readonly by?: unknown }).by : undefined;

export const explainDimensions = explainList('/dimensions', 'must not name a dimension again', itself);
export const explainMetrics = explainList('/metrics', 'must not name a metric again', itself);
export const explainSort = explainList('/sort', 'must not name a column again', byOf, '/by');
