import type { Reporter } from 'vitest/node';
import { isLeftOut } from './before-release.ts';
import { markedTests } from './tiers.ts';

/** How long the other tests take, as a multiple of `npm test` on the same machine: test/README.md has the figures. */
const REST_OVER_CORE = 2.9;

let files = 0;

/** The last lines of a run: how long it took, with the start of its services, and what a run of the core leaves out. */
export const elapsedReporter: Reporter = {
  onTestRunStart: (specifications) => {
    files = specifications.length;
  },
  onTestRunEnd: () => {
    const seconds = process.uptime();
    console.log(`The tests took ${inMinutes(seconds)}.`);
    const tests = [...markedTests()].flatMap(([file, mark]) => (isLeftOut(file) ? [] : [mark]));
    const rest = tests.filter(({ tier }) => tier === 'system').length;
    if (files !== tests.length - rest) return;
    const more = inMinutes(seconds * REST_OVER_CORE);
    console.log(`"npm run test:all" runs ${rest} more files, which would take about ${more} here.`);
  },
};

const inMinutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)} min ${Math.round(seconds) % 60} s`;
