import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WithForm } from './form.ts';
import { addressOf } from './values.ts';

const MAX_ADDRESS = 2_048;

interface AddressInputProps extends WithForm {
  readonly path: string;
  readonly label: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** An address; `https://` is added where one leaves it out, as people do. */
export function AddressInput({ form, path, label, description, required }: AddressInputProps): ReactNode {
  const { onBlur, ...input } = form.getInputProps(path);
  return (
    <TextInput
      label={label}
      description={description}
      required={required ?? false}
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      maxLength={MAX_ADDRESS}
      {...input}
      onBlur={(event) => {
        onBlur?.(event);
        const whole = addressOf(event.currentTarget.value);
        if (whole !== event.currentTarget.value) form.setFieldValue(path, whole as never);
      }}
    />
  );
}
