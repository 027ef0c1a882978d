import { type ReactNode, useDeferredValue } from 'react';

/**
 * What it holds is drawn right after the rest, in slices of a few milliseconds: the router draws a page in one go, and
 * while it does, a slow phone answers to nothing. Only as it appears: later changes pass through.
 */
export function InSlices({ children }: { readonly children: ReactNode }): ReactNode {
  return useDeferredValue(true, false) ? children : null;
}
