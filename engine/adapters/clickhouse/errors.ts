/**
 * ClickHouse's number for what went wrong, or null where it said nothing (no connection, time-out, closed).
 *
 * By shape, not by class: the embedded engine throws the `ClickHouseError` of another copy of the client's
 * code, of which `instanceof` knows nothing.
 */
export function clickHouseErrorCode(error: unknown): number | null {
  if (!(error instanceof Error) || error.constructor.name !== 'ClickHouseError') return null;
  const code = Number((error as Error & { readonly code?: unknown }).code);
  return Number.isSafeInteger(code) ? code : null;
}

/**
 * The numbers by which ClickHouse refuses the data itself, now and whenever it comes again: text that is no
 * number, a value out of range, an element the Enum does not have. Everything else (no connection, too many
 * parts, memory, a disk that is full, a table that is missing) may be better in a minute.
 */
const dataRefusals: ReadonlySet<number> = new Set([6, 27, 38, 41, 53, 69, 70, 72, 117, 131, 321, 349, 691]);

export function isDataRefusal(error: unknown): boolean {
  const code = clickHouseErrorCode(error);
  return code !== null && dataRefusals.has(code);
}
