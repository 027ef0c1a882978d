import { Alert, Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Me } from '../data/account/queries.ts';
import { dataOf } from '../data/http/api.ts';
import { Problem } from '../data/http/problem.ts';
import { useApi } from '../data/http/services.tsx';
import { CodeInput } from '../parts/code-input.tsx';
import { t } from '../texts/t.ts';
import { useSubmit } from '../ui/form-modal.tsx';
import PasskeyButton from './passkey-button.tsx';

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
