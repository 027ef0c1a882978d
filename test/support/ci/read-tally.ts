/** What is used of the JSON report that vitest writes. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export interface Tally {
  /** `tests: N passed, N failed, N skipped` */
  readonly line: string;
  /** Why the run does not count as passed, one line each. Empty: it does. */
  readonly problems: readonly string[];
}

/**
 * A file that could not be loaded counts as one failed test: it holds tests that nobody saw. Every test
 * that neither passed nor failed counts as skipped, and none may be: what CI leaves out is not known to work.
 * @throws SyntaxError where the report is cut off.
 */
export function readTally(text: string): Tally {
  const { testResults } = JSON.parse(text) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed');
  const failed = tests.filter(({ status }) => status === 'failed');
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  const notLoaded = testResults.filter(
    ({ status, assertionResults }) =>
      assertionResults.length === 0 ||
      (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')),
  );
  return {
    line: `tests: ${passed.length} passed, ${failed.length + notLoaded.length} failed, ${skipped.length} skipped`,
    problems: [
      ...failed.map(({ fullName }) => `failed: ${fullName}`),
      ...notLoaded.map(({ name, message }) => `failed as a whole: ${name} ${message.split('\n', 1)[0]}`),
      ...skipped.map(({ fullName }) => `skipped, and nothing may be: ${fullName}`),
      ...(passed.length + failed.length === 0 ? ['no test ran'] : []),
    ],
  };
}
