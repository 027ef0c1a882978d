import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { dataOf } from '../http/api.ts';
import { Problem } from '../http/problem.ts';
import { useApi } from '../http/services.tsx';
import PasskeyButton from '../passkeys/passkey-button.tsx';
import type { Me } from '../session/queries.ts';
import { useSubmit } from '../shell/form-modal.tsx';
import { t } from '../texts/t.ts';

const words = t.secondFactor;

interface Props {
  readonly onIn: (me: Me) => void;
  /** The password is to be given again. */
  readonly onOver: () => void;
}

/** The second half of a log-in. */
export default function CodeForm({ onIn, onOver }: Props): ReactNode {
  const api = useApi();
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? words.codeMissing : null) },
  });
  const run = async (body: { code: string }): Promise<void> => {
    try {
      onIn(await dataOf(api.POST('/api/v1/account/log-in/code', { body })));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      onOver();
    }
  };
  const { problem, busy, submit } = useSubmit(form, run, () => {});
  return (
    <form onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
      <Stack>
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Text>{words.ask}</Text>
        <CodeInput {...form.getInputProps('code')} />
        <Button type="submit" loading={busy} fullWidth>
          {words.go}
        </Button>
        <PasskeyButton step="second" onIn={onIn} onOver={onOver} />
      </Stack>
    </form>
  );
}

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
