/**
 * ClickHouse's error code, or null without an answer (no connection, timeout, closed).
 *
 * By shape, not by class: the embedded engine throws the `ClickHouseError` of another copy of the client's
 * code, which `instanceof` does not recognize.
 */
export function clickHouseErrorCode(error: unknown): number | null {
  if (!(error instanceof Error) || error.constructor.name !== 'ClickHouseError') return null;
  const code = Number((error as Error & { readonly code?: unknown }).code);
  return Number.isSafeInteger(code) ? code : null;
}

/**
 * The error codes with which ClickHouse refuses the data itself, now and at every retry: text that is not a
 * number, a value out of range, an unknown element of the Enum. Every other error (no connection, too many
 * parts, memory, a full disk, a missing table) may pass.
 */
const dataRefusals: ReadonlySet<number> = new Set([6, 27, 38, 41, 53, 69, 70, 72, 117, 131, 321, 349, 691]);

export function isDataRefusal(error: unknown): boolean {
  const code = clickHouseErrorCode(error);
  return code !== null && dataRefusals.has(code);
}
