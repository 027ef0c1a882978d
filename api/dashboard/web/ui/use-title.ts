import { useEffect } from 'react';
import { t } from '../texts/t.ts';

/** Of the window, apart from a page's frame: the log-in has a title, too. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = t.titleOf(title);
  }, [title]);
}
