import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WithForm } from './form.ts';
import { addressOf } from './values.ts';

const MAX_ADDRESS = 2_048;

interface AddressInputProps extends WithForm {
  readonly path: string;
  readonly label: string;
  readonly description?: ReactNode;
  /** What it says stands below the field: warnings, where there is no hint. */
  readonly isBelow?: boolean;
  readonly required?: boolean;
  /** Called with what the field holds after a paste. */
  readonly onPasted?: (address: string) => void;
}

/** An address; `https://` is added where one leaves it out, as people do. */
export function AddressInput(props: AddressInputProps): ReactNode {
  const { form, path, label, description, isBelow = false, required, onPasted } = props;
  const { onBlur, ...input } = form.getInputProps(path);
  return (
    <TextInput
      label={label}
      description={description}
      inputWrapperOrder={
        isBelow ? ['label', 'input', 'description', 'error'] : ['label', 'description', 'input', 'error']
      }
      required={required ?? false}
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      maxLength={MAX_ADDRESS}
      {...input}
      onPaste={({ currentTarget }) => {
        // Once the browser has put it in.
        if (onPasted !== undefined) setTimeout(() => onPasted(currentTarget.value));
      }}
      onBlur={(event) => {
        onBlur?.(event);
        const whole = addressOf(event.currentTarget.value);
        if (whole !== event.currentTarget.value) form.setFieldValue(path, whole as never);
      }}
    />
  );
}
