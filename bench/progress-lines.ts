import { createTimeLeft } from '../api/cli/remote/watch-delivery.ts';

const BETWEEN_MS = 10_000;

/** Progress of long work for people who wait, on a terminal or not: a line every ten seconds, with the time left. */
export function createProgressLines(
  say: (text: string) => void,
  what: string,
  all: number,
  now: () => number = () => performance.now(),
): (done: number) => void {
  const timeLeft = createTimeLeft();
  timeLeft(0, all, now());
  let saidMs = now();
  return (done) => {
    if (now() - saidMs < BETWEEN_MS) return;
    saidMs = now();
    say(`${what} ${done.toLocaleString('en')} of ${all.toLocaleString('en')}${timeLeft(done, all, now())}`);
  };
}
