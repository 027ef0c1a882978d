import { useElementScrollRestoration } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** After which nobody expects to be moved. */
const MOST_WAIT_MS = 5_000;
/** Somebody moves by themselves. */
const hands = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to where one was on this page, after going back or reloading. The router tries once, as the page is begun, when
 * content that is drawn in slices or still on its way has not made it that long yet.
 */
export function useScrollBack(): void {
  const kept = useElementScrollRestoration({ getElement: () => window });
  const [top] = useState(kept?.scrollY ?? 0);
  useEffect(() => {
    if (top === 0) return;
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const page = document.documentElement;
    const watch = new ResizeObserver(() => {
      if (page.scrollHeight - window.innerHeight < top) return;
      window.scrollTo({ top, behavior: 'instant' });
      end();
    });
    const timer = setTimeout(end, MOST_WAIT_MS);
    ending.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      watch.disconnect();
    });
    for (const hand of hands) window.addEventListener(hand, end, { signal: ending.signal, passive: true });
    watch.observe(page);
    return end;
  }, [top]);
}
