import type { UseFormReturnType } from '@mantine/form';
import { Problem } from './problem.ts';

/**
 * Puts what the API found wrong onto the form's own fields.
 * @returns whether everything it said has a field that shows it; else the form says the rest at its top.
 */
export function showFieldErrors<Values extends object>(
  form: UseFormReturnType<Values>,
  error: unknown,
  fieldOf: (field: string) => string = (field) => field,
): boolean {
  if (!(error instanceof Problem) || error.status !== 422) return false;
  const known = new Set(Object.keys(form.getValues()));
  const fields = Object.entries(error.fields).map(([field, words]) => [fieldOf(field), words] as const);
  form.setErrors(Object.fromEntries(fields));
  return fields.length > 0 && fields.every(([field]) => known.has(field.split('.')[0] ?? ''));
}
