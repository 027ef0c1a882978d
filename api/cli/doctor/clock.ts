import { type Found, ok, problem, warning } from './finding.ts';

/** A message that travels, and a machine that was busy for a moment. */
const WARN_MS = 5_000;
/** Tokens for push services and certificates are judged by this machine’s clock. */
const WRONG_MS = 300_000;

/** @param aheadMs how far the server's clock is ahead of this machine's. */
export function judgeClock(server: string, aheadMs: number): Found {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  if (seconds * 1_000 < WARN_MS) return ok(`this machine and ${server} agree on the time`);
  const text = `the clock of ${server} is ${seconds.toLocaleString('en-US')} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine’s`;
  const mend = 'Let both take their time from NTP: timedatectl shows whether they do.';
  return seconds * 1_000 >= WRONG_MS ? problem(text, mend) : warning(text, mend);
}
