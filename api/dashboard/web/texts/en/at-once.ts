import { session } from './session.ts';
import { shell } from './shell.ts';

/** What the log-in and the frame say. */
export const atOnce = {
  ...session,
  ...shell,
} as const;
