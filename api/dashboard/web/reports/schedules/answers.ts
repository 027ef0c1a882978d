import type { Format } from '../report.ts';

/** What makes a saved report by itself, as the reporting API shows it. */
export interface Schedule {
  readonly id: number;
  readonly saved_name: string;
  /** Null: when the days are final. */
  readonly cron: string | null;
  readonly timezone: string;
  readonly format: Format;
  readonly destination:
    | { readonly kind: 'webhook' | 'bucket'; readonly url: string }
    | { readonly kind: 'email'; readonly addresses: readonly string[] };
  readonly next_at: string | null;
  readonly stopped_why: string | null;
  readonly made_by: string | null;
  readonly may_change: boolean;
  /** Of a webhook, in the answer that made it alone. */
  readonly secret?: string;
}

export interface SchedulesAnswer {
  readonly data: readonly Schedule[];
  /** Whether the operator has set up what they need. */
  readonly meta: { readonly available: boolean; readonly email: boolean };
}

export interface Run {
  readonly id: number;
  readonly state: 'due' | 'reporting' | 'delivering' | 'done' | 'failed';
  readonly first_day: string | null;
  readonly last_day: string | null;
  readonly next_attempt_at: string | null;
  readonly problem: string | null;
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly created_at: string;
}

export const isUnderWay = ({ state }: Run): boolean => state !== 'done' && state !== 'failed';
