/** What is used of the JSON report that vitest writes. */
interface Report {
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}

export interface Tally {
  /** `tests: N passed, N failed, N skipped` */
  readonly line: string;
  /** Why the run does not count as passed, one line each. Empty: it does. */
  readonly problems: readonly string[];
  /** What failed among the others and passed by itself: to be mended, and no fault of what is tested. */
  readonly unsteady: readonly string[];
}

const failedIn = ({ assertionResults }: FileResult): string[] =>
  assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);

/** It holds tests that nobody saw. */
const isNotLoaded = (file: FileResult): boolean =>
  file.assertionResults.length === 0 || (file.status === 'failed' && failedIn(file).length === 0);

const filesOf = (text: string): readonly FileResult[] => (JSON.parse(text) as Report).testResults;

/** @returns the files in which something failed, as the report names them. */
export const failedFiles = (text: string): string[] =>
  filesOf(text)
    .filter((file) => isNotLoaded(file) || failedIn(file).length > 0)
    .map(({ name }) => name);

/**
 * A file that could not be loaded counts as one failed test. Every test that neither passed nor failed counts as
 * skipped, and none may be: what CI leaves out is not known to work.
 * @param reports of the parts of the run, each of which runs tests.
 * @param again the report of the second run of files in which something failed; its results replace theirs.
 * @throws SyntaxError where a report is cut off.
 */
export function readTally(reports: readonly string[], again = '{"testResults":[]}'): Tally {
  const second = new Map(filesOf(again).map((file) => [file.name, file]));
  const parts = reports.map(filesOf);
  const first = parts.flat();
  const files = first.map((file) => second.get(file.name) ?? file);
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed');
  const failed = files.flatMap(failedIn);
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  const notLoaded = files.filter(isNotLoaded);
  const failedFirst = first.filter(({ name }) => second.has(name)).flatMap(failedIn);
  return {
    line: `tests: ${passed.length} passed, ${failed.length + notLoaded.length} failed, ${skipped.length} skipped`,
    problems: [
      ...failed.map((fullName) => `failed: ${fullName}`),
      ...notLoaded.map(({ name, message }) => `failed as a whole: ${name} ${message.split('\n', 1)[0]}`),
      ...skipped.map(({ fullName }) => `skipped, and nothing may be: ${fullName}`),
      ...parts.filter((part) => part.length === 0).map(() => 'no test ran'),
    ],
    unsteady: failedFirst.filter((fullName) => !failed.includes(fullName)),
  };
}
