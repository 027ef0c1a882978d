import { notifications } from '@mantine/notifications';
import { wordsOf } from '../http/problem.ts';
import { t } from '../texts/t.ts';

/** Says that something was done; read out by screen readers. */
export const toastDone = (message: string): void =>
  void notifications.show({ message, color: 'teal', withBorder: true });

/** Says that something failed. For what a form's fields cannot show. */
export const toastProblem = (error: unknown): void =>
  void notifications.show({
    title: t.problems.title,
    message: wordsOf(error),
    color: 'red',
    withBorder: true,
    autoClose: 10_000,
  });
