export interface AnalyticsSearch {
  /** Length of the period; today is its last day. */
  readonly days?: number;
  readonly currency?: 'USD';
}

export const DEFAULT_DAYS = 30;
export const MAX_DAYS = 90;

export const isPeriod = (days: unknown): days is number =>
  Number.isInteger(days) && Number(days) >= 1 && Number(days) <= MAX_DAYS;
