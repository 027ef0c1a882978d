import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  Cancelled,
  completeByPasskey,
  hasPasskeys,
  logInByPasskey,
} from '../data/account/passkeys/browser.ts';
import type { Me } from '../data/account/queries.ts';
import { Problem, wordsOf } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';

const words = t.passkeys;

interface Props {
  /** After the password, or without one. */
  readonly step: 'second' | 'alone';
  readonly onIn: (me: Me) => void;
  /** The password is to be given again. */
  readonly onOver?: () => void;
}

/** Log-in by a passkey, where the browser has any. */
export default function PasskeyButton({ step, onIn, onOver }: Props): ReactNode {
  const api = useApi();
  const use = useMutation({
    mutationFn: () => (step === 'alone' ? logInByPasskey(api) : completeByPasskey(api)),
    onSuccess: onIn,
    onError: (error) => {
      if (step === 'second' && error instanceof Problem && error.status === 401) onOver?.();
    },
  });
  if (!hasPasskeys()) return null;
  return (
    <>
      {use.isError && (
        <Alert color="red" role="alert">
          {sentenceOf(use.error)}
        </Alert>
      )}
      <Button variant="default" fullWidth loading={use.isPending} onClick={() => use.mutate()}>
        {step === 'alone' ? words.logIn : words.use}
      </Button>
    </>
  );
}

function sentenceOf(error: unknown): string {
  if (error instanceof Cancelled) return words.cancelled;
  if (error instanceof Problem && error.status === 404) return words.none;
  return error instanceof Problem && [401, 422].includes(error.status) ? words.wrong : wordsOf(error);
}
