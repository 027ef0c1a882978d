export const isThorough = process.env.THOROUGH === '1';

/** How many cases: a few in a quick run, all of them with THOROUGH=1, as `.ci/run` sets it. */
export const cases = (few: number, all: number): number => (isThorough ? all : few);

/**
 * Every `step`th of a table, all of it (or every `thoroughStep`th) with THOROUGH=1: where each row proves the same of
 * another page, field or day.
 */
export const someOf = <Row>(rows: readonly Row[], step: number, thoroughStep = 1): Row[] =>
  rows.filter((_, place) => place % cases(step, thoroughStep) === 0);
