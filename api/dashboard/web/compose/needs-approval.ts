import type { App } from '../apps/queries.ts';
import { isCampaign } from './campaign.ts';
import type { ComposeValues } from './values.ts';

/** Whether it waits for a second person, as the API will decide. */
export const needsApproval = ({ approval }: Pick<App, 'approval'>, values: ComposeValues): boolean =>
  values.mode !== 'rehearsal' &&
  (approval === 'all' ||
    (approval === 'all_but_breaking' && (values.lane !== 'breaking' || isCampaign(values))));
