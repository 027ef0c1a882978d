/** SQL’s classes of what is wrong with a value, such as a NUL in a text, and of what is beyond its limits. */
export const isRefusedValue = (error: unknown): boolean =>
  /^(22|54)/.test(String((error as { code?: unknown } | null)?.code ?? ''));
