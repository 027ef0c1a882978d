import type { UseFormReturnType } from '@mantine/form';
import { Problem } from './problem.ts';

/**
 * Shows the API's errors at the form's own fields.
 * @returns whether every error has a field that shows it; otherwise the form shows the rest at its top.
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
