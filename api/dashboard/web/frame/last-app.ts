import { useEffect } from 'react';

const KEY = 'broadside.app';

/** The last used app, in this browser; null where there was none. */
export const readLastApp = (): string | null => localStorage.getItem(KEY);
export const forgetLastApp = (): void => localStorage.removeItem(KEY);

/** The current app: the one in the URL, otherwise the last one. */
export function useLastApp(named: string | undefined): string | null {
  useEffect(() => {
    if (named !== undefined) localStorage.setItem(KEY, named);
  }, [named]);
  return named ?? readLastApp();
}
