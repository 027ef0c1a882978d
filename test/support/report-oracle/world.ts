/** What the oracle checks: base rows, rates, and the ledger, as plain values. */
export interface OracleRow {
  readonly atMs: number;
  readonly load: number;
  readonly source: string;
  readonly texts: Readonly<Record<TextKey | 'wholesaler', string>>;
  readonly counts: Readonly<Record<CountKey, bigint>>;
  /** In units of 10^-8. */
  readonly earnings: bigint;
  readonly currency: string;
}
export const textKeys = [
  'product',
  'domain',
  'subdomain',
  'media_type',
  'device',
  'os',
  'ad_unit',
  'country',
  'deal_id',
  'deal_name',
  'deal_type',
] as const;
export type TextKey = (typeof textKeys)[number];
export const countKeys = [
  'impressions',
  'viewable',
  'first_quartile',
  'midpoint',
  'third_quartile',
  'complete',
] as const;
export type CountKey = (typeof countKeys)[number];

export interface OracleRate {
  readonly day: string;
  readonly currency: string;
  /** In units of 10^-18. */
  readonly perEur: bigint;
}

export interface World {
  readonly rows: readonly OracleRow[];
  readonly rates: readonly OracleRate[];
  readonly ledger: {
    readonly maxLoad: number;
    readonly hidden: readonly number[];
    readonly superseded: readonly {
      readonly source: string;
      readonly firstDay: string;
      readonly lastDay: string;
      readonly below: number;
    }[];
  };
}
