import { useEffect } from 'react';
import { useServices } from '../data/http/services.tsx';

/** Offers it in the command menu while the component is there. @param run a function that stays the same. */
export function usePageAct(label: string, run: () => void): void {
  const { acts } = useServices();
  useEffect(() => acts.add({ label, run }), [acts, label, run]);
}
