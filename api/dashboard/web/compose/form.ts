import type { UseFormReturnType } from '@mantine/form';
import type { ComposeValues } from './values.ts';

export type ComposeForm = UseFormReturnType<ComposeValues>;
export interface WithForm {
  readonly form: ComposeForm;
}
