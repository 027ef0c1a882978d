import type { GetInputPropsOptions, UseFormReturnType } from '@mantine/form';
import type { ComposeValues } from './values.ts';

export type ComposeForm = UseFormReturnType<ComposeValues>;
export interface WithForm {
  readonly form: ComposeForm;
}

/** A form that has these values among others, and sets these texts: parts of one form serve another as well. */
export interface FormWith<Values, Text extends keyof Values> {
  getValues(): Values;
  getInputProps(path: string, options?: GetInputPropsOptions): ReturnType<ComposeForm['getInputProps']>;
  setFieldValue(path: Text, value: string): void;
}

/** Fields of one variant. */
export interface OfVariant extends WithForm {
  /** Its place, from 0: the first is the form's own content. */
  readonly at: number;
}
