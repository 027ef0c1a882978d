import fc from 'fast-check';
import type { Access } from '../../../reporting/report/access.ts';
import type { ReportRequest } from '../../../reporting/report/request.ts';

/** All worlds are checked, however long it takes: the test has a timeout of its own. */
const A_DAY_MS = 86_400_000;

/**
 * Checks the property on this number of worlds. A failure ends it at once: making a world of many requests smaller
 * takes longer than reading the one request that the error names.
 */
export async function prove<Values>(
  property: fc.IAsyncPropertyWithHooks<Values>,
  { worlds, seed }: { readonly worlds: number; readonly seed: number },
): Promise<void> {
  const bounds = { numRuns: worlds, seed, endOnFailure: true, interruptAfterTimeLimit: A_DAY_MS };
  const found = await fc.check(property, bounds);
  if (!found.failed) return;
  throw new Error(`world ${found.numRuns} of seed ${seed} failed`, { cause: found.errorInstance });
}

/** Adds to an error of `work` what was asked. */
export async function naming<Result>(
  request: ReportRequest,
  access: Access,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${JSON.stringify({ request, access })}: ${message}`, { cause: error });
  }
}
