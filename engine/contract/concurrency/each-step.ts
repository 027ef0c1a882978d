/**
 * Several steps in turn. One that throws keeps none of those behind it: its error is thrown after the last of them.
 * @returns how much they did together.
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
  if (failures.length > 0) throw failures[0];
  return done;
}
