import { useEffect } from 'react';

const KEY = 'broadside.app';

/** The app that was in hand last, in this browser; null where there was none. */
export const readLastApp = (): string | null => localStorage.getItem(KEY);
export const forgetLastApp = (): void => localStorage.removeItem(KEY);

/** The app in hand: the one that the address names, else the last one. */
export function useLastApp(named: string | undefined): string | null {
  useEffect(() => {
    if (named !== undefined) localStorage.setItem(KEY, named);
  }, [named]);
  return named ?? readLastApp();
}
