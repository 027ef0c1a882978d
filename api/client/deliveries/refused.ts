import type { FieldErrors } from '../../../engine/kit/http/problem.ts';

/** What was asked for is wrong in these fields. */
export interface Refused {
  readonly kind: 'refused';
  readonly errors: FieldErrors;
}
