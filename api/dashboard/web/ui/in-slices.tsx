import { type ReactNode, useDeferredValue } from 'react';

export interface InSlicesProps {
  /** Until then; nothing by default. */
  readonly placeholder?: ReactNode;
  /** A function is called in the slices, too. */
  readonly children: ReactNode | (() => ReactNode);
}

/**
 * What it holds is drawn right after the rest, in slices of a few milliseconds: the router draws a page in one go, and so
 * does an answer that arrives, and while that lasts, a slow phone answers to nothing. Only as it appears: later changes
 * pass through.
 */
export function InSlices({ placeholder = null, children }: InSlicesProps): ReactNode {
  if (!useDeferredValue(true, false)) return placeholder;
  return typeof children === 'function' ? children() : children;
}
