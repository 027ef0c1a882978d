import { Fragment, type ReactNode, startTransition, useEffect, useState } from 'react';

/** A turn that is left to another place of the page. */
export const nothing = (): null => null;

/**
 * Draws its parts one after another, each once the one before is on the screen: what is put into the page at once is
 * also measured and laid out at once, and on a phone a whole form takes a third of a second. Only as they appear: later
 * changes pass through.
 */
export function InTurn({ children }: { readonly children: readonly (() => ReactNode)[] }): ReactNode {
  const count = useTurns(children.length);
  // They are the parts of one page: always as many, in the same order.
  const drawn = children.slice(0, count).map((part, at) => <Fragment key={String(at)}>{part()}</Fragment>);
  return (
    <>
      {drawn}
      {count < children.length && <MoreToCome />}
    </>
  );
}

/** In place of what is still to come: the page is not whole yet. */
export const MoreToCome = (): ReactNode => <span hidden aria-busy="true" />;

/** @returns how many of the parts are drawn by now: from 1, one more each time the others are on the screen. */
export function useTurns(parts: number): number {
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (count < parts) startTransition(() => setCount(count + 1));
  }, [count, parts]);
  return count;
}
