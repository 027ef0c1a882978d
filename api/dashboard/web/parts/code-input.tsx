import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';

const words = t.secondFactor;

/** For the code of an authenticator app, or a recovery code. */
export const CodeInput = (props: object): ReactNode => (
  <TextInput
    label={words.code}
    autoComplete="one-time-code"
    // No numeric keyboard: recovery codes have letters.
    autoCapitalize="off"
    spellCheck={false}
    maxLength={64}
    required
    data-autofocus
    autoFocus
    {...props}
  />
);
