import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of each tier what takes longest: begun last, it would go on alone while the other workers have nothing left. */
export const longest = [
  'test/chaos/runner.test.ts',
  'test/browser/two-tabs.test.ts',
  'test/generated/cpu.test.ts',
  'test/api/release/images.test.ts',
  'test/browser/dashboard/firefox.test.ts',
  'test/integration/waiting-start.test.ts',
  'test/browser/firefox.test.ts',
  'test/dispatch/strangers-flow.test.ts',
  'test/browser/dashboard/pages.test.ts',
  'test/browser/dashboard/languages.test.ts',
  'test/api/cli/import/command.test.ts',
  'test/integration/soak.test.ts',
  'test/generated/fuzz.test.ts',
  'test/bench/check.test.ts',
  'test/dispatch/governor-flow.test.ts',
  'test/integration/restart.test.ts',
  'test/bench/reporting.test.ts',
  'test/bench/tune.test.ts',
  'test/bench/scale.test.ts',
  'test/reporting/cli/ad-stats.test.ts',
  'test/integration/multi-process.test.ts',
  'test/dispatch/worker-pool.test.ts',
  'test/dispatch/fairness.test.ts',
  'test/adapters/lookup-plans.test.ts',
];
const projects = [
  ...['core-alone', 'system-alone', 'core-clickhouse', 'system-clickhouse'],
  ...['core', 'system', 'postgres', 'unit'],
];

/** Within that, the order of vitest: by what earlier runs took, in a fresh clone by the size of the file. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turnOf = ({ project, moduleId }: TestSpecification): number =>
      2 * projects.indexOf(project.name) + (longest.some((name) => moduleId.endsWith(name)) ? 0 : 1);
    return (await super.sort(files)).toSorted((one, other) => turnOf(one) - turnOf(other));
  }
}
