import type { App } from '../data/apps/queries.ts';
import { planOf } from '../data/campaigns/plan.ts';
import type { CampaignDetail } from '../data/campaigns/resource.ts';
import { type Api, dataOf } from '../data/http/api.ts';
import { formOf } from '../data/http/form-of.ts';
import { Problem } from '../data/http/problem.ts';
import { bodyOfCampaign, isCampaign } from '../notification/campaign.ts';
import { bodyOfValues, type ComposeValues, filesOf } from '../notification/values.ts';
import { t } from '../texts/t.ts';
import { GUARD_HOURS } from './duplicate.ts';

const path = '/api/v1/client/apps/{identifier}/deliveries';

export interface Sending {
  readonly values: ComposeValues;
  /** Also where the same was sent before. */
  readonly isMeant: boolean;
}

/** What was created, and the number of its page. */
export interface Created {
  readonly kind: 'delivery' | 'campaign';
  readonly id: number;
}

/** Creates a campaign where the values ask for one, and a delivery else. @param zone the app's own. */
export async function create(
  api: Api,
  app: Pick<App, 'identifier' | 'time_zone'>,
  { values, isMeant }: Sending,
  key: string,
): Promise<Created> {
  if (!isCampaign(values)) {
    const { id } = await createDelivery(api, app.identifier, { values, isMeant }, key);
    return { kind: 'delivery', id };
  }
  const { id } = await dataOf(
    api.POST('/api/v1/client/apps/{identifier}/campaigns', {
      params: { path: { identifier: app.identifier }, header: { 'idempotency-key': key } },
      body: bodyOfCampaign(values, app.time_zone),
    }),
  );
  return { kind: 'campaign', id };
}

/** Changes a campaign that has not started. @throws Problem where the values ask for a single delivery. */
export async function change(
  api: Api,
  app: Pick<App, 'identifier' | 'time_zone'>,
  values: ComposeValues,
  changed: CampaignDetail,
): Promise<Created> {
  if (!isCampaign(values)) throw new Problem(422, t.compose.changeToDelivery);
  const body = bodyOfCampaign(values, app.time_zone, planOf(changed));
  const { id } = await dataOf(
    api.PUT('/api/v1/client/apps/{identifier}/campaigns/{campaign_id}', {
      params: { path: { identifier: app.identifier, campaign_id: String(changed.id) } },
      body,
    }),
  );
  return { kind: 'campaign', id };
}

/** Creates the delivery; the same key with the same values creates it once, however often it is sent. */
function createDelivery(api: Api, app: string, { values, isMeant }: Sending, key: string) {
  const body = {
    ...bodyOfValues(values),
    duplicate_guard_hours: GUARD_HOURS,
    ...(isMeant ? { confirm_duplicate: true } : {}),
  };
  const params = { path: { identifier: app }, header: { 'idempotency-key': key } };
  const files = filesOf(values);
  return dataOf(
    Object.keys(files).length === 0
      ? api.POST(path, { params, body })
      : api.POST(path, { params, body, bodySerializer: () => formOf(body, files) }),
  );
}
