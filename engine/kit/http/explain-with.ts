import type { Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { FieldErrors } from './problem.ts';
import { fieldErrorsOf } from './validation-messages.ts';

/** One sentence about one field. @param path as the validator writes them: `/rules/conditions/0`. */
export const say = (path: string, words: string): FieldErrors => {
  const field = path.slice(1).replaceAll('/', '.');
  return { [field]: [`The ${field} field ${words}.`] };
};

/** The schema's objections to the value at `path` of the body. */
export function explainWith(validator: Validator, value: unknown, path: string): FieldErrors {
  if (validator.Check(value)) return {};
  const errors = validator.Errors(value) as TLocalizedValidationError[];
  return fieldErrorsOf(errors.map((error) => ({ ...error, instancePath: `${path}${error.instancePath}` })));
}
