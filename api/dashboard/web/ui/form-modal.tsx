import { Alert, Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { showFieldErrors } from '../data/http/form-errors.ts';
import { wordsOf } from '../data/http/problem.ts';
import { t } from '../texts/t.ts';
import { Dialog } from './dialog.tsx';

export interface FormModalProps<Values extends object> {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly form: UseFormReturnType<Values>;
  /** The button's text. */
  readonly act: string;
  /** Where the API refuses, the fields show why. */
  readonly run: (values: Values) => Promise<unknown>;
  /** Default: the dialog closes. */
  readonly onDone?: () => void;
  readonly children: ReactNode;
}

/** A short form in a dialog. */
export function FormModal<Values extends object>(props: FormModalProps<Values>): ReactNode {
  const { opened, onClose, title, form, act, run, children, onDone = onClose } = props;
  const { problem, busy, submit } = useSubmit(form, run, onDone);
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <form onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
        <Stack>
          {problem !== null && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.actions.cancel}
            </Button>
            <Button type="submit" loading={busy}>
              {act}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Submits a form: the API's errors go to their fields, errors without a field are `problem`. */
export function useSubmit<Values extends object>(
  form: UseFormReturnType<Values>,
  run: (values: Values) => Promise<unknown>,
  onDone: () => void,
  fieldOf?: (field: string) => string,
) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (values: Values): Promise<void> => {
    setProblem(null);
    setBusy(true);
    try {
      await run(values);
      onDone();
    } catch (error) {
      if (!showFieldErrors(form, error, fieldOf)) setProblem(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { problem, busy, submit };
}
