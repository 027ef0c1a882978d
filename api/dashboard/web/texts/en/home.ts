import { approvals } from './approvals.ts';
import { calendar } from './calendar.ts';
import { deliveries } from './deliveries.ts';
import { frame } from './frame.ts';
import { overview } from './overview.ts';

/** What the frame, the overview and the lists of deliveries say. */
export const home = {
  ...approvals,
  ...calendar,
  ...deliveries,
  ...frame,
  ...overview,
} as const;
