import { wait } from '../clock.ts';
import { Own } from '../own-promise.ts';
import type { Prompt } from './protocol.ts';

/** Resolves once the reader has been here for the time, and has read the part of the page. */
export async function whenRead({
  seconds,
  scrollPercent,
}: Pick<Prompt, 'seconds' | 'scrollPercent'>): Promise<void> {
  const waited = wait(seconds * 1_000);
  await new Own<void>((resolve) => {
    const look = (): void => {
      if (scrolledPercent() < scrollPercent) return;
      removeEventListener('scroll', look);
      resolve();
    };
    addEventListener('scroll', look);
    look();
  });
  await waited;
}

/** A page that fits into the window is read at once. */
function scrolledPercent(): number {
  const { scrollHeight } = document.documentElement;
  const room = scrollHeight - innerHeight;
  // Zoomed pages stop up to a pixel short of their end.
  return room <= 1 ? 100 : ((scrollY + 1) / room) * 100;
}
