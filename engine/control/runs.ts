/** Counts the runs of a function that have not ended. */
export interface CountedRuns<Given extends unknown[], Result> {
  run(...given: Given): Promise<Result>;
  inHand(): number;
}

export function countRuns<Given extends unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
): CountedRuns<Given, Result> {
  let inHand = 0;
  return {
    run: async (...given) => {
      inHand++;
      try {
        return await work(...given);
      } finally {
        inHand--;
      }
    },
    inHand: () => inHand,
  };
}
