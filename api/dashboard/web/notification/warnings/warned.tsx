import type { ReactNode } from 'react';
import { useWarnings, WarningsContext, type WrittenNotification } from './use-warnings.ts';

interface WarnedProps {
  /** As it is written now. */
  readonly notification: WrittenNotification;
  readonly children: ReactNode;
}

/** The fields of a notification: each `FieldWarnings` among them says what is to be known of its field. */
export const Warned = ({ notification, children }: WarnedProps): ReactNode => (
  <WarningsContext value={useWarnings(notification)}>{children}</WarningsContext>
);
