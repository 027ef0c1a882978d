import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMe } from '../data/account/use-me.ts';
import { t } from '../texts/t.ts';

/** The password again. Those who have none show a young session instead: the API says where theirs is too old. */
export function OwnPassword({
  error,
  ...props
}: {
  readonly error?: ReactNode;
  readonly 'data-autofocus'?: boolean;
}): ReactNode {
  if (!useMe().has_password) return error === undefined ? null : <span role="alert">{error}</span>;
  return (
    <PasswordInput
      label={t.account.current}
      required
      autoComplete="current-password"
      error={error}
      {...props}
    />
  );
}
