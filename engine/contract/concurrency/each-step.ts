/** Errors that are kept of one call: a thousand stacks would fill a log. */
const MOST_KEPT = 5;

/** Several steps failed. `errors` has the first of them. */
export class StepsFailed extends AggregateError {
  constructor(errors: readonly unknown[], steps: number) {
    super(errors.slice(0, MOST_KEPT), `${errors.length} of ${steps} steps failed`);
    this.name = 'StepsFailed';
  }
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
  if (failures.length > 1) throw new StepsFailed(failures, steps.length);
  if (failures.length === 1) throw failures[0];
  return done;
}
