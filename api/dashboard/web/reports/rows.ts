/** A row of the reporting API's answer. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Days of the period and of the earlier one of which there is no row. */
export interface LackingDays {
  readonly now: readonly string[];
  readonly before: readonly string[];
}
