import { useSyncExternalStore } from 'react';

const onResize = (changed: () => void): (() => void) => {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
};

export const useWindowHeight = (): number => useSyncExternalStore(onResize, () => innerHeight);
