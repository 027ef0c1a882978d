import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Confirm, type ConfirmProps } from './confirm.tsx';
import { toastDone, toastProblem } from './toast.ts';

export interface ConfirmedButtonProps extends Pick<ConfirmProps, 'title' | 'act' | 'typed' | 'harmless'> {
  /** The button's text. */
  readonly label: string;
  /** Read out instead of the text, where several buttons have the same. */
  readonly name?: string;
  readonly text: ReactNode;
  readonly run: () => Promise<unknown>;
  /** Said when it is done. */
  readonly done: string;
  readonly button?: ButtonProps;
}

/** A button whose action needs a confirmation, and is reported afterwards. */
export function ConfirmedButton(props: ConfirmedButtonProps): ReactNode {
  const { label, name, text, run, done, button = {}, ...question } = props;
  const [asking, setAsking] = useState(false);
  const act = useMutation({
    mutationFn: run,
    onSuccess: () => toastDone(done),
    onError: toastProblem,
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button
        variant="default"
        {...button}
        onClick={() => setAsking(true)}
        {...(name === undefined ? {} : { 'aria-label': name })}
      >
        {label}
      </Button>
      <Confirm
        {...question}
        opened={asking}
        onClose={() => setAsking(false)}
        busy={act.isPending}
        onConfirm={() => act.mutate()}
      >
        {text}
      </Confirm>
    </>
  );
}
