/** Choices of numbers, in their order. One that came by the API stays a choice. */
export const withGiven = (choices: readonly number[], given: string): readonly number[] =>
  choices.includes(Number(given)) ? choices : [...choices, Number(given)].sort((one, other) => one - other);
