import type { App } from '../data/apps/queries.ts';
import { isCampaign } from './campaign.ts';
import type { ComposeValues } from './values.ts';

/** Whether it waits for a second person, as the API will decide. */
export const needsApproval = ({ approval }: Pick<App, 'approval'>, values: ComposeValues): boolean =>
  values.mode !== 'rehearsal' && isHeldAt(approval, isCampaign(values) ? 'bulk' : values.lane);

/** The same of a delivery in a lane. */
export const isHeldAt = (rule: App['approval'], lane: string): boolean =>
  rule === 'all' || (rule === 'all_but_breaking' && lane !== 'breaking');
