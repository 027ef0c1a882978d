/** Errors that are kept of one call: a thousand stacks would fill a log. */
const MOST_KEPT = 5;

/** Several steps failed. `errors` has the first of each kind: many alike hide no other. */
export class StepsFailed extends AggregateError {
  constructor(errors: readonly unknown[], steps: number) {
    super(kindsOf(errors).slice(0, MOST_KEPT), `${errors.length} of ${steps} steps failed`);
    this.name = 'StepsFailed';
  }
}

function kindsOf(errors: readonly unknown[]): unknown[] {
  const kinds = new Map<string, unknown>();
  for (const error of errors.flatMap((each) => (each instanceof StepsFailed ? each.errors : [each]))) {
    const kind = String(error);
    if (!kinds.has(kind)) kinds.set(kind, error);
  }
  return [...kinds.values()];
}

/**
 * Several steps in turn. One that throws keeps none of those behind it: what failed is thrown after the last of them.
 * @returns how much they did together. @throws the error where one failed, StepsFailed where several did.
 */
export async function eachStep(steps: readonly (() => Promise<number>)[]): Promise<number> {
  const failures: unknown[] = [];
  let done = 0;
  for (const step of steps)
    try {
      done += await step();
    } catch (error) {
      failures.push(error);
    }
  throwAll(failures, steps.length);
  return done;
}

/** @throws the error where there is one, StepsFailed where there are several. */
export function throwAll(failures: readonly unknown[], steps: number): void {
  if (failures.length > 1) throw new StepsFailed(failures, steps);
  if (failures.length === 1) throw failures[0];
}
