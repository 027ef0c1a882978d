import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';

export interface WhenNearProps {
  /** In pixels: of the place that is kept. */
  readonly height: number;
  readonly children: ReactNode;
}

/** Below what is seen: drawn when a finger's next swipe gets there. */
const AHEAD = '400px';

/** Draws what it holds when it is about to be scrolled into sight, and keeps it. */
export function WhenNear({ height, children }: WhenNearProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (place.current === null || isNear) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) startTransition(() => setNear(true));
      },
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  return (
    <div ref={place} style={{ minHeight: height }}>
      {isNear && children}
    </div>
  );
}
