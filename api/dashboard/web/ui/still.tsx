import { memo, type ReactNode } from 'react';

export interface StillProps {
  /** All that it shows, apart from what its parts ask for themselves: always as many. */
  readonly of: readonly unknown[];
  readonly children: () => ReactNode;
}

/**
 * Draws what it holds again only where one of `of` has changed. A form is drawn again for each key, and a part with other
 * fields is the same as before.
 */
export const Still = memo(
  ({ children }: StillProps): ReactNode => children(),
  (before, now) => before.of.every((each, at) => Object.is(each, now.of[at])),
);
