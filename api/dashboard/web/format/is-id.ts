/** Numbers of things, as an address has them. */
export const isId = (given: unknown): given is number => Number.isSafeInteger(given) && Number(given) > 0;
