import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../texts/t.ts';
import classes from './waiting.module.css';

/** Announces that a request waits for a Retry-After. */
export interface Waits {
  tell(waitMs: number): void;
  onTold(listener: (waitMs: number) => void): () => void;
}

export function createWaits(): Waits {
  const listeners = new Set<(waitMs: number) => void>();
  return {
    tell: (waitMs) => {
      for (const listener of listeners) listener(waitMs);
    },
    onTold: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Shorter waits are not worth showing. */
const WORTH_TELLING_MS = 1_500;

/** Says that Broadside is busy while it is. */
export function Waiting({ waits }: { waits: Waits }): ReactNode {
  const [waitMs, setWaitMs] = useState(0);
  useEffect(() => waits.onTold((told) => told >= WORTH_TELLING_MS && setWaitMs(told)), [waits]);
  useEffect(() => {
    if (waitMs === 0) return;
    const timer = setTimeout(() => setWaitMs(0), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  return (
    <div role="status" className={classes.waiting} data-shown={waitMs > 0}>
      {waitMs > 0 && t.problems.waiting(Math.ceil(waitMs / 1_000))}
    </div>
  );
}
