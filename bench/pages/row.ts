import type { Device, Rating } from './lighthouse.ts';

export interface MeasureOptions {
  /** By their names in the tests of the dashboard. Null: all. */
  readonly pages: readonly string[] | null;
  /** Of each page. */
  readonly runs: number;
  readonly device: Device;
}

/** The medians of a page's runs. */
export interface PageRow extends Rating {
  readonly page: string;
  readonly runs: number;
}
