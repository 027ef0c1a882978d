import type { ReportJob } from '../../../engine/adapters/postgres/report-jobs/jobs.ts';
import type { ClaimedRun } from '../../../engine/adapters/postgres/report-schedules/runs.ts';

/** A result on its way. */
export interface Delivery {
  readonly run: ClaimedRun;
  readonly job: ReportJob;
  readonly bytes: number;
  /** One for each part, for those who have no token. */
  readonly files: readonly { readonly name: string; readonly url: string; readonly bytes: number }[];
  /** Of the addresses. */
  readonly until: Date;
  readonly signal: AbortSignal;
}

/** `forGood`: no attempt can help, and the schedule stops. `gone`: so is the result, and the report is made again. */
export type DeliveryEnd =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly why: string; readonly forGood: boolean };

export type Deliver = (delivery: Delivery) => Promise<DeliveryEnd>;

export const again = (why: string): DeliveryEnd => ({ kind: 'refused', why, forGood: false });
