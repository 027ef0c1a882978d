export const isThorough = process.env.THOROUGH === '1';

/** How many cases: a few in a quick run, all of them with THOROUGH=1, as before a release. */
export const cases = (few: number, all: number): number => (isThorough ? all : few);

/** Every `step`th of a table, all of it with THOROUGH=1: where each row proves the same of another page or field. */
export const someOf = <Row>(rows: readonly Row[], step: number): Row[] =>
  rows.filter((_, place) => place % cases(step, 1) === 0);
