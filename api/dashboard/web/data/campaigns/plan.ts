import type { Campaign } from './resource.ts';

export interface TestPlan {
  readonly kind: 'ab_test';
  readonly test_percent: number;
  readonly decide_by: 'clicks' | 'hand' | 'never';
  readonly decide_after_minutes: number;
  readonly fallback: number;
}
export interface LocalTimePlan {
  readonly kind: 'local_time';
  /** What clocks show: `2026-11-24T08:00`. */
  readonly at: string;
  readonly if_passed: 'send' | 'skip';
}
export interface RecurringPlan {
  readonly kind: 'recurring';
  readonly schedule: string;
  readonly time_zone: string;
  readonly from: string | null;
  readonly until: string | null;
  readonly grace_minutes: number;
}
export interface QuietHoursPlan {
  readonly kind: 'quiet_hours';
  readonly from: string;
  readonly to: string;
}
export interface FeedPlan {
  readonly kind: 'feed';
  readonly url: string;
}
export type Plan = TestPlan | LocalTimePlan | RecurringPlan | FeedPlan | QuietHoursPlan;

/** A campaign's plan, as the API states it back: its fields depend on its kind. */
export const planOf = ({ plan }: Pick<Campaign, 'plan'>): Plan => plan as unknown as Plan;
