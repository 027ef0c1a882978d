import type { InputWrapperProps } from '@mantine/core';
import { FieldWarnings } from './field-warnings.tsx';

/** What an input says of its field, below it. @param field JSON pointer, as the API has it. */
export const warnedBelow = (field: string): Pick<InputWrapperProps, 'description' | 'inputWrapperOrder'> => ({
  description: <FieldWarnings field={field} isBelow />,
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
});
