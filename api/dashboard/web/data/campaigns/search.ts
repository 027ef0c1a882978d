import type { CampaignKind, CampaignStatus } from './resource.ts';
import { kinds, statuses } from './status.ts';

/** The list's filters, from the URL; absent ones are not sent. */
export interface CampaignsSearch {
  readonly page?: number;
  readonly status?: CampaignStatus;
  readonly kind?: CampaignKind;
}

/** People edit URLs: invalid values are ignored. */
export function readSearch(given: Record<string, unknown>): CampaignsSearch {
  const { page } = given;
  const status = statuses.find((each) => each === given.status);
  const kind = kinds.find((each) => each === given.kind);
  return {
    ...(Number.isInteger(page) && Number(page) > 1 ? { page: Number(page) } : {}),
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
  };
}
