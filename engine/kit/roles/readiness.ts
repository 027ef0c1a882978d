import { resultOr } from '../../contract/concurrency/time-limit.ts';

/** Whether one dependency answers now. False or a rejection: it is unavailable. */
export type ReadinessCheck = () => Promise<boolean>;

/** Each dependency by name and whether it answers. Never rejects, and settles within the time limit. */
export type Readiness = () => Promise<Readonly<Record<string, boolean>>>;

const DEFAULT_TIMEOUT_MS = 1_000;

/**
 * Asks all checks at once; one that is silent for `timeoutMs` counts as away. Callers that ask meanwhile
 * share the answer, and a check that hangs is not started again before it ended: however often a load
 * balancer asks, a dependency sees one question at a time.
 */
export function createReadiness(
  checks: Readonly<Record<string, ReadinessCheck>>,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Readiness {
  const single = Object.entries(checks).map(([name, check]) => [name, oneAtATime(check)] as const);
  return oneAtATime(async () => {
    const answers = single.map(
      async ([name, check]) => [name, await resultOr(false, timeoutMs, check)] as const,
    );
    return Object.fromEntries(await Promise.all(answers));
  });
}

/** A call during a call gets that one's result. */
function oneAtATime<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  /** `async`, so that work that throws before its first await has not ended before it is noted as running. */
  const run = async (): Promise<Result> => work();
  return () => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
}
