import { isThorough } from '../cases.ts';

/** Minutes each, of what seldom breaks: they are there with THOROUGH=1 alone, as before a release. */
export const beforeRelease: readonly string[] = [
  // Commands of engineers, each with a small run of its own.
  'test/bench/api.test.ts',
  'test/bench/flow.test.ts',
  'test/bench/peers.test.ts',
  'test/bench/reporting.test.ts',
  'test/bench/scale.test.ts',
  // Hours of a virtual clock; `chaos/simulation.test.ts` plays the same engines in each run.
  'test/chaos/limited-app.test.ts',
  'test/chaos/limited-clicks.test.ts',
  // A day in minutes: memory and books of processes that live long.
  'test/integration/soak.test.ts',
  // Servers of both kinds; `backup/drill.test.ts` backs up and restores the embedded ones in each run.
  'test/backup/servers.test.ts',
];

/** Of this run; LEAVE_OUT is what `.ci/run` cannot try on its machine, and names beside its tally. */
export const isLeftOut = (file: string): boolean =>
  (!isThorough && beforeRelease.includes(file)) || file === process.env.LEAVE_OUT;
