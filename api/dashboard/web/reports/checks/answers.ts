import type { OldRate } from '../../format/rate-sources.ts';

/** What the reporting API answers, as far as this page shows it. Amounts here are drawn and shown, never added up. */
interface MoneyMeta {
  readonly currency: string;
  readonly old_rates: readonly OldRate[];
  readonly source_days: readonly { readonly source: string; readonly timezone: string }[];
  readonly left_out: readonly { readonly currency: string }[];
}

export interface Note {
  readonly reason: string;
  readonly written_by: string | null;
  readonly written_at: string;
  readonly version: number;
}

export interface DifferenceFigures {
  readonly first_impressions: number;
  readonly first_earnings: number;
  readonly second_impressions: number;
  readonly second_earnings: number;
  readonly impressions_percent: number | null;
  readonly earnings_difference: number;
  readonly earnings_percent: number | null;
}

export interface Difference extends DifferenceFigures {
  readonly day: string;
  readonly domain: string;
  readonly missing: 'first' | 'second' | null;
  readonly note: Note | null;
}

export interface DifferencesAnswer {
  readonly data: readonly Difference[];
  readonly meta: MoneyMeta & {
    readonly count: number;
    readonly total_count: number;
    readonly next_offset: number | null;
    readonly compared: number;
    readonly sources: readonly [string, string];
    readonly totals: DifferenceFigures;
  };
}

export interface Series {
  readonly domain: string;
  readonly product: string;
  readonly country: string;
}

export interface AnomalyPart {
  readonly dimension: 'subdomain' | 'media_type' | 'device' | 'os' | 'ad_unit';
  readonly value: string;
  readonly earnings: number;
  readonly usual: number;
  readonly difference: number;
}

export interface Anomaly extends Series {
  readonly day: string;
  readonly earnings: number;
  readonly usual: number;
  readonly low: number;
  readonly high: number;
  readonly difference: number;
  readonly history: readonly { readonly day: string; readonly earnings: number }[];
  readonly parts: readonly AnomalyPart[];
}

export interface AnomaliesAnswer {
  readonly data: readonly Anomaly[];
  readonly meta: MoneyMeta & {
    readonly judged_days: readonly {
      readonly found: number;
      readonly muted: number;
      readonly without_history: number;
      readonly without_history_earnings: number;
    }[];
    readonly days_without_rows: readonly string[];
  };
}

export interface Mute extends Series {
  readonly until: string;
  readonly reason: string;
  readonly muted_by: string | null;
}

export type DayState = 'open' | 'complete' | 'final';

export interface SourceState {
  readonly source: string;
  readonly first_day: string;
  readonly last_day: string;
  readonly state: DayState;
  readonly said_by: 'import' | 'person' | 'rule' | 'time' | null;
  readonly said_at: string | null;
}

export interface DaysAnswer {
  readonly meta: {
    readonly source_states: readonly SourceState[];
    readonly source_states_left_out?: number;
  };
}

export interface RestatedFigures {
  readonly rows: number;
  readonly impressions: number;
  /** An exact decimal. */
  readonly earnings: string;
}

export interface Restatement {
  readonly id: number;
  readonly day: string;
  readonly source: string;
  readonly change: 'replaced' | 'added';
  readonly was_final: boolean;
  readonly restated_at: string;
  readonly currencies: readonly {
    readonly currency: string;
    readonly before: RestatedFigures;
    readonly after: RestatedFigures;
  }[];
}

export interface RestatementsAnswer {
  readonly data: readonly Restatement[];
  readonly meta: { readonly next_cursor: string | null };
}

/** Of a page of the feed: a shorter one is the last. */
export const FEED_ROWS = 50;
