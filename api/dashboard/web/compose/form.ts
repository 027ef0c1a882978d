import type { UseFormReturnType } from '@mantine/form';
import type { ComposeValues } from './values.ts';

export type ComposeForm = UseFormReturnType<ComposeValues>;
export interface WithForm {
  readonly form: ComposeForm;
}

/** Fields of one variant. */
export interface OfVariant extends WithForm {
  /** Its place, from 0: the first is the form's own content. */
  readonly at: number;
}
