import type { NotificationData } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { wordsOf } from '../data/http/problem.ts';
import { t } from '../texts/t.ts';

const LONG_MS = 10_000;
/** `frame/global.css` has the rule of what was done. */
const done = { color: 'teal', mod: { done: true } } as const;

/** Says that something was done; read out by screen readers. What lies below is pressed through it. */
export const toastDone = (message: ReactNode): void => show({ message, ...done });

/** The same with a way to take it back: it stays while one thinks about it. */
export const toastWithUndo = (message: ReactNode): void => show({ message, ...done, autoClose: LONG_MS });

/** Reports a failure. For errors without a form field. */
export const toastProblem = (error: unknown): void =>
  show({ title: t.problems.title, message: wordsOf(error), color: 'red', autoClose: LONG_MS });

/** By what no first page needs. */
function show(toast: NotificationData): void {
  void import('@mantine/notifications').then(({ notifications }) =>
    notifications.show({ ...toast, withBorder: true }),
  );
}
